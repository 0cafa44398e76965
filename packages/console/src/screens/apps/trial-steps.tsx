/** Steps of a test run: request, response, and token exchange. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { App } from '../../api/apps.ts';
import type { TrialResponse, TrialResult } from '../../api/trial.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Countdown } from '../../parts/secrets/countdown.tsx';
import { Badge } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';
import { exchangeLines } from './exchange-lines.ts';

/** An authorization code is valid for a minute. */
const codeMs = 60_000;

interface StepsProps {
  company: string;
  app: App;
  response: TrialResponse;
  /** Undefined for an app with a secret, which the console doesn't have. */
  result: TrialResult | undefined;
}

export function TrialSteps({ company, app, response, result }: StepsProps) {
  const isGood = response.code !== null && response.isIssuerValid;
  return (
    <ol className="trial" aria-label={t`Sign-in steps`}>
      <Step title={t`The app requested authorization`} good>
        <CodeBlock title={t`Authorization request`} text={formatUrl(response.address)} />
      </Step>
      <Step title={isGood ? t`You authorized it` : t`Authorization was denied`} good={isGood}>
        {response.error && (
          <p>
            <code>{response.error.code}</code> {response.error.description}
          </p>
        )}
        {isGood && <p>{t`A code came back, with the state that was sent and the expected issuer.`}</p>}
      </Step>
      {isGood && !result && <Exchange company={company} app={app} response={response} />}
      {result && <Result company={company} app={app} result={result} />}
    </ol>
  );
}

/** @param good the outcome; undefined while pending */
function Step({ title, good, children }: { title: string; good?: boolean; children: ReactNode }) {
  return (
    <li>
      <h3>
        {title} {good !== undefined && <Badge tone={good ? 'good' : 'bad'}>{good ? t`worked` : t`failed`}</Badge>}
      </h3>
      {children}
    </li>
  );
}

/** For an app with a secret: the user exchanges the code where the secret is. */
function Exchange({ company, app, response }: Pick<StepsProps, 'company' | 'app' | 'response'>) {
  const until = new Date(Date.parse(response.respondedAt) + codeMs).toISOString();
  return (
    <Step title={t`Exchange the code`}>
      <p>{t`Set CLIENT_SECRET to the app's secret and paste this into a terminal.`}</p>
      <Countdown
        label={t`The code is valid for`}
        until={until}
        expiredText={t`The code has expired. Sign in and authorize again to get another.`}
      />
      <CodeBlock title={t`Exchange the code`} text={exchangeLines(app.client_id, response.code!, response.verifier)} />
      <p>
        {t`The authorization stays until someone ends it:`}{' '}
        <Link to="/$company/connections" params={{ company }} search={{ client_id: app.client_id }}>
          {t`See who authorized it`}
        </Link>
      </p>
    </Step>
  );
}

function Result({
  company,
  app,
  result: { tokens, user, isRevoked },
}: {
  company: string;
  app: App;
  result: TrialResult;
}) {
  return (
    <>
      <Step title={t`The app received tokens`} good={user !== undefined}>
        <CodeBlock title="POST /oauth/token" text={JSON.stringify(tokens, null, 2)} />
      </Step>
      {user !== undefined && (
        <>
          <Step title={t`The app used its token`} good>
            <p>{t`The person it acts for, its scopes, and the companies.`}</p>
            <CodeBlock title="GET /auth/user" text={JSON.stringify(user, null, 2)} />
          </Step>
          <Step title={t`The console revoked the access`} good={isRevoked}>
            {isRevoked ? (
              <p>{t`No token and no connection of this trial is left.`}</p>
            ) : (
              <p>
                {t`The access couldn't be revoked. End it here:`}{' '}
                <Link to="/$company/connections" params={{ company }} search={{ client_id: app.client_id }}>
                  {t`See who authorized it`}
                </Link>
              </p>
            )}
          </Step>
        </>
      )}
    </>
  );
}

/** A URL with one query parameter per line. */
function formatUrl(address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  return [
    `${origin}${pathname}`,
    ...[...searchParams].map(([name, value], at) => `  ${at === 0 ? '?' : '&'}${name}=${value}`),
  ].join('\n');
}
