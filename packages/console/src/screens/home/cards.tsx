/** What needs somebody, one card each: what it is, since when, and the way to where it is mended. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Invitation } from '../../api/attention.ts';
import type { Schemas } from '../../api/client.ts';
import type { Connection } from '../../api/connections.ts';
import type { Import } from '../../api/imports.ts';
import { account_url } from '../../api/sign-in.ts';
import type { Webhook } from '../../api/webhooks.ts';
import { deactivationReasons } from '../../parts/names.ts';
import { Since } from '../../parts/small.tsx';
import { named, t, tn } from '../../parts/words.ts';

function Card({ bad = false, children }: { bad?: boolean; children: ReactNode }) {
  return <li className={bad ? 'card bad' : 'card waiting'}>{children}</li>;
}

export function WebhookCard({ company, webhook }: { company: string; webhook: Webhook }) {
  const { id, url, status, deactivated_at, deactivation_reason, consecutive_failures } = webhook;
  const has_ended = status === 'deactivated';
  return (
    <Card bad={has_ended}>
      <p className="quiet">{has_ended ? t`Webhook endpoint, disabled` : t`Webhook endpoint, failing`}</p>
      <Link to="/$company/webhooks/$webhook" params={{ company, webhook: id }} className="card-link">
        {url}
      </Link>
      <p>
        {has_ended
          ? named(deactivationReasons, deactivation_reason ?? '')
          : tn(
              consecutive_failures,
              t`The last attempt failed.`,
              t`The last ${consecutive_failures} attempts failed.`,
            )}{' '}
        {has_ended && deactivated_at && <Since at={deactivated_at} />}
      </p>
    </Card>
  );
}

/** Whoever installed it was demoted, or has left. */
export function InstallationCard({ company, installation }: { company: string; installation: Connection }) {
  const { id, app, allowed_by, suspended_at, confirmation_requested_at: at } = installation;
  const name = allowed_by.name ?? t`someone who has left`;
  return (
    <Card bad={suspended_at !== null}>
      <p className="quiet">{suspended_at ? t`Installed app, suspended` : t`Installed app, waiting for confirmation`}</p>
      <Link to="/$company/connections/$connection" params={{ company, connection: id }} className="card-link">
        {app.name}
      </Link>
      <p>
        {suspended_at
          ? t`${name} installed it and has a lower role now. Confirm it or end it. Admins were notified`
          : t`${name} installed it, and was demoted or has left. Confirm it or end it. Admins were notified`}{' '}
        {at && <Since at={at} />}
      </p>
    </Card>
  );
}

export function ImportCard({ company, failed }: { company: string; failed: Import }) {
  const { id, filename, status, failure, error_count, completed_at } = failed;
  return (
    <Card bad={status === 'failed'}>
      <p className="quiet">{status === 'failed' ? t`Import, failed` : t`Import, with rows left out`}</p>
      <Link to="/$company/imports/$import" params={{ company, import: id }} className="card-link">
        {filename}
      </Link>
      <p>
        {failure?.message ??
          tn(error_count, t`${error_count} row was left out.`, t`${error_count} rows were left out.`)}{' '}
        {completed_at && <Since at={completed_at} />}
      </p>
    </Card>
  );
}

export function InvitationCard({ company, invitation }: { company: string; invitation: Invitation }) {
  const { collaborator_id, name, email, expires_at } = invitation;
  return (
    <Card>
      <p className="quiet">{t`Invitation, not accepted yet`}</p>
      <Link to="/$company/people/$person" params={{ company, person: collaborator_id }} className="card-link">
        {name}
      </Link>
      <p>
        {t`Sent to ${email}. It expires`} <Since at={expires_at} />
      </p>
    </Card>
  );
}

/** Whose account it is, is told to nobody but them. */
export function AdminsCard({ admins }: { admins: Schemas['SignInCounts'] }) {
  const { count, without_second_factor: without } = admins;
  return (
    <Card bad={count === 1}>
      <p className="quiet">{t`Admin sign-in`}</p>
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
        <a href={account_url}>{t`Your account`}</a>
      </p>
    </Card>
  );
}
