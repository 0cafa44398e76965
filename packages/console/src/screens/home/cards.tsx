/** One card per item that needs attention: the problem, since when, and a link to fix it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Invitation } from '../../api/attention.ts';
import type { Schemas } from '../../api/client/client.ts';
import { accountUrl } from '../../api/client/sign-in.ts';
import type { Connection } from '../../api/connections.ts';
import type { Import } from '../../api/imports.ts';
import type { Webhook } from '../../api/webhooks.ts';
import { number } from '../../parts/format.ts';
import { deactivationReasons } from '../../parts/names.ts';
import { Since } from '../../parts/small.tsx';
import { named, t, tn } from '../../parts/translate.ts';

interface CardProps {
  bad?: boolean;
  kind: string;
  /** When it happened or will happen. */
  at?: string | null;
  /** Action on the card. */
  action: ReactNode;
  children: ReactNode;
}

function Card({ bad = false, kind, at, action, children }: CardProps) {
  return (
    <li className={`card acted ${bad ? 'bad' : 'waiting'}`}>
      <div className="card-about">
        <p className="quiet">
          {kind}
          {at && (
            <>
              {' · '}
              <Since at={at} />
            </>
          )}
        </p>
        {children}
      </div>
      {action}
    </li>
  );
}

type WithAction<P> = P & { company: string; action: ReactNode };

export function WebhookCard({ company, webhook, action }: WithAction<{ webhook: Webhook }>) {
  const {
    id,
    url,
    status,
    deactivated_at: deactivatedAt,
    deactivation_reason: deactivationReason,
    consecutive_failures: consecutiveFailures,
  } = webhook;
  const hasEnded = status === 'deactivated';
  return (
    <Card
      bad={hasEnded}
      kind={hasEnded ? t`Webhook endpoint, disabled` : t`Webhook endpoint, failing`}
      at={hasEnded ? deactivatedAt : null}
      action={action}
    >
      <Link to="/$company/webhooks/$webhook" params={{ company, webhook: id }} className="card-link">
        {url}
      </Link>
      <p>
        {hasEnded
          ? named(deactivationReasons, deactivationReason ?? '')
          : tn(
              consecutiveFailures,
              t`The last attempt failed.`,
              t`The last ${number(consecutiveFailures)} attempts failed.`,
            )}
      </p>
    </Card>
  );
}

/** The installer was demoted or has left. */
export function InstallationCard({ company, installation, action }: WithAction<{ installation: Connection }>) {
  const { id, app, allowed_by: allowedBy, suspended_at: suspendedAt, confirmation_requested_at: at } = installation;
  const name = allowedBy.name ?? t`someone who has left`;
  return (
    <Card
      bad={suspendedAt !== null}
      kind={suspendedAt ? t`Installed app, suspended` : t`Installed app, waiting for confirmation`}
      action={action}
    >
      <Link to="/$company/connections/$connection" params={{ company, connection: id }} className="card-link">
        {app.name}
      </Link>
      <p>
        {suspendedAt
          ? t`${name} installed it and has a lower role now. Confirm it or end it. Admins were notified`
          : t`${name} installed it, and was demoted or has left. Confirm it or end it. Admins were notified`}{' '}
        {at && <Since at={at} />}
      </p>
    </Card>
  );
}

export function ImportCard({ company, failed, action }: WithAction<{ failed: Import }>) {
  const { id, filename, status, failure, error_count: errorCount, completed_at: completedAt } = failed;
  return (
    <Card
      bad={status === 'failed'}
      kind={status === 'failed' ? t`Import, failed` : t`Import, with skipped rows`}
      at={completedAt}
      action={action}
    >
      <Link to="/$company/imports/$import" params={{ company, import: id }} className="card-link">
        {filename}
      </Link>
      <p>
        {failure?.message ??
          tn(errorCount, t`${number(errorCount)} row was skipped.`, t`${number(errorCount)} rows were skipped.`)}
      </p>
    </Card>
  );
}

export function InvitationCard({ company, invitation, action }: WithAction<{ invitation: Invitation }>) {
  const { collaborator_id: collaboratorId, name, email, expires_at: expiresAt } = invitation;
  return (
    <Card kind={t`Invitation, not accepted yet`} action={action}>
      <Link to="/$company/people/$person" params={{ company, person: collaboratorId }} className="card-link">
        {name}
      </Link>
      <p>
        {t`Sent to ${email}. It expires`} <Since at={expiresAt} />
      </p>
    </Card>
  );
}

export function CertificateCard({
  company,
  certificate,
  action,
}: WithAction<{ certificate: Schemas['ExpiringCertificate'] }>) {
  const { connection_id: id, connection_name: name, expires_at: expiresAt } = certificate;
  const isOver = Date.parse(expiresAt) < Date.now();
  return (
    <Card
      bad={isOver}
      kind={isOver ? t`Certificate of a sign-in provider, expired` : t`Certificate of a sign-in provider`}
      at={expiresAt}
      action={action}
    >
      <Link to="/$company/sign-in/$connection" params={{ company, connection: id }} className="card-link">
        {name}
      </Link>
      <p>
        {isOver
          ? t`Its last certificate has expired. Enter the next one.`
          : t`Its last certificate expires soon. Enter the next one.`}
      </p>
    </Card>
  );
}

/** Shows only the number: whether an admin has a second factor is known only to that admin. */
export function AdminsCard({ admins, action }: { admins: Schemas['SignInCounts']; action: ReactNode }) {
  const { count, without_second_factor: without } = admins;
  return (
    <Card bad={count === 1} kind={t`Admin sign-in`} action={action}>
      <p>
        <strong>
          {count === 1
            ? t`The only admin signs in without a second factor.`
            : tn(
                without,
                t`${without} of ${count} admins signs in without a second factor.`,
                t`${without} of ${count} admins sign in without a second factor.`,
              )}
        </strong>
      </p>
      <p>
        {t`Anyone with that password controls the company. Each admin adds their own factor:`}{' '}
        <a href={accountUrl}>{t`Your account`}</a>
      </p>
    </Card>
  );
}
