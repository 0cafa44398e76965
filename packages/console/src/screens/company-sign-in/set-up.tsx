/** Setup checklist from draft to active connection, with completed steps marked. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { docsUrl } from '../../api/client/sign-in.ts';
import { changeConnection, checkDomains, type SignInConnection, startTest } from '../../api/sign-in-connections.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Badge, Since } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';

const guides = [
  ['okta', 'Okta'],
  ['microsoft-entra-id', 'Microsoft Entra ID'],
  ['google-workspace', 'Google Workspace'],
  ['jumpcloud', 'JumpCloud'],
  ['keycloak', 'Keycloak'],
] as const;

interface OfConnection {
  company: string;
  connection: SignInConnection;
}

export function SetUp({ company, connection }: OfConnection) {
  const {
    redirect_uri: redirectUri,
    backchannel_logout_uri: logoutUri,
    tested_at: testedAt,
    status,
    domains,
    saml,
  } = connection;
  const page = saml ? 'saml' : 'single-sign-on';
  return (
    <section className="panel" aria-labelledby="set-up">
      <h2 id="set-up">{t`Setup`}</h2>
      <ol className="steps">
        <Step
          title={saml ? t`Enter these values in your provider` : t`Enter the redirect URI in your provider`}
          isDone={testedAt !== null}
        >
          {redirectUri && <CodeBlock title={t`Redirect URI`} text={redirectUri} />}
          {logoutUri && <CodeBlock title={t`Back-channel logout URI, if the provider offers it`} text={logoutUri} />}
          {saml && (
            <>
              <CodeBlock title={t`Entity ID (audience)`} text={saml.entity_id} />
              <CodeBlock title={t`ACS URL (single sign-on URL)`} text={saml.acs_url} />
              <p>
                <a href={saml.entity_id}>{t`Metadata of this service, as XML`}</a>
              </p>
            </>
          )}
          <p className="row">
            {t`Step by step:`}
            {guides.map(([path, name]) => (
              <a key={path} href={`${docsUrl}/guides/${page}#${path}`}>
                {name}
              </a>
            ))}
          </p>
        </Step>
        <Step title={t`Test the connection`} isDone={testedAt !== null}>
          <Test company={company} connection={connection} />
        </Step>
        <Step title={t`Verify your domains`} isDone={domains.length > 0 && domains.every((each) => each.verified_at)}>
          <Domains company={company} connection={connection} />
        </Step>
        <Step title={t`Enable the connection`} isDone={status === 'enabled'}>
          <Switch company={company} connection={connection} />
        </Step>
      </ol>
    </section>
  );
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li>
      <span className="row">
        <strong>{title}</strong> {isDone && <Badge tone="good">{t`Done`}</Badge>}
      </span>
      {children}
    </li>
  );
}

function Test({ company, connection }: OfConnection) {
  const { mutate, data, isPending, error } = useMutation({ mutationFn: () => startTest(company, connection.id) });
  return (
    <>
      <p className="quiet">
        {t`Sign in at the provider and see which claims it sends. Nobody is signed in here.`}
        {connection.tested_at && (
          <>
            {' '}
            {t`Last successful test:`} <Since at={connection.tested_at} />
          </>
        )}
      </p>
      {error && <Problem error={error} />}
      <div className="row">
        <Button busy={isPending} onClick={() => mutate()}>
          {t`Start a test`}
        </Button>
        {data && (
          <a className="button primary" href={data.url} target="_blank" rel="noopener">
            {t`Open the test`}
          </a>
        )}
      </div>
    </>
  );
}

function Domains({ company, connection }: OfConnection) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => checkDomains(company, connection.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] }),
  });
  if (connection.domains.length === 0) {
    return (
      <p className="quiet">{t`Add your email domains in the settings below, so that addresses of them lead to the provider.`}</p>
    );
  }
  return (
    <>
      <p className="quiet">{t`Publish each record in your DNS, then check. It can take some hours until a record is visible.`}</p>
      {connection.domains.map((each) => (
        <div key={each.domain}>
          <p className="row">
            <strong>{each.domain}</strong>
            {each.verified_at ? (
              <Badge tone="good">{t`Verified`}</Badge>
            ) : (
              <Badge tone="waiting">{each.checked_at ? t`Record not found` : t`Not checked yet`}</Badge>
            )}
          </p>
          {!each.verified_at && (
            <>
              <CodeBlock title={t`TXT record of ${each.domain}: name`} text={each.record_name} />
              <CodeBlock title={t`TXT record of ${each.domain}: value`} text={each.record_value} />
            </>
          )}
        </div>
      ))}
      {error && <Problem error={error} />}
      <Button busy={isPending} onClick={() => mutate()}>
        {t`Check the domains`}
      </Button>
    </>
  );
}

function Switch({ company, connection }: OfConnection) {
  const queries = useQueryClient();
  const isEnabled = connection.status === 'enabled';
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeConnection(company, connection.id, { status: isEnabled ? 'draft' : 'enabled' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] }),
  });
  return (
    <>
      <p className="quiet">
        {isEnabled
          ? t`People can sign in with it. If you disable it, everybody who signed in with it is signed out.`
          : t`At their first sign-in, people need an invitation or a directory entry, or confirm the account they already have here. An email address alone isn't enough.`}
      </p>
      {error && <Problem error={error} />}
      <Button kind={isEnabled ? undefined : 'primary'} busy={isPending} onClick={() => mutate()}>
        {isEnabled ? t`Disable` : t`Enable`}
      </Button>
    </>
  );
}
