/** What needs somebody, one card each: what it is, since when, and the way to where it is mended. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Invitation } from '../../api/attention.ts';
import type { Schemas } from '../../api/client.ts';
import type { Connection } from '../../api/connections.ts';
import type { Import } from '../../api/imports.ts';
import { account_url } from '../../api/sign-in.ts';
import type { Webhook } from '../../api/webhooks.ts';
import { Since } from '../../parts/small.tsx';
import { named, t } from '../../parts/words.ts';

function Card({ bad = false, children }: { bad?: boolean; children: ReactNode }) {
  return <li className={bad ? 'card bad' : 'card waiting'}>{children}</li>;
}

export function WebhookCard({ company, webhook }: { company: string; webhook: Webhook }) {
  const { id, url, status, deactivated_at, deactivation_reason, consecutive_failures } = webhook;
  const has_ended = status === 'deactivated';
  return (
    <Card bad={has_ended}>
      <p className="quiet">{t(has_ended ? 'home.webhook-ended' : 'home.webhook-fails')}</p>
      <Link to="/$company/webhooks/$webhook" params={{ company, webhook: id }} className="card-link">
        {url}
      </Link>
      <p>
        {has_ended
          ? named('reason', deactivation_reason ?? '')
          : t('webhook.failures', { count: consecutive_failures })}{' '}
        {has_ended && deactivated_at && <Since at={deactivated_at} />}
      </p>
    </Card>
  );
}

/** Whoever installed it was demoted, or has left. */
export function InstallationCard({ company, installation }: { company: string; installation: Connection }) {
  const { id, app, allowed_by, suspended_at, confirmation_requested_at: at } = installation;
  const name = allowed_by.name ?? t('connection.somebody-gone');
  return (
    <Card bad={suspended_at !== null}>
      <p className="quiet">{t(suspended_at ? 'home.app-suspended' : 'home.app-unconfirmed')}</p>
      <Link to="/$company/connections/$connection" params={{ company, connection: id }} className="card-link">
        {app.name}
      </Link>
      <p>
        {t(suspended_at ? 'home.app-suspended.more' : 'home.app-unconfirmed.more', { name })} {at && <Since at={at} />}
      </p>
    </Card>
  );
}

export function ImportCard({ company, failed }: { company: string; failed: Import }) {
  const { id, filename, status, failure, error_count, completed_at } = failed;
  return (
    <Card bad={status === 'failed'}>
      <p className="quiet">{t(status === 'failed' ? 'home.import-failed' : 'home.import-faults')}</p>
      <Link to="/$company/imports/$import" params={{ company, import: id }} className="card-link">
        {filename}
      </Link>
      <p>
        {failure?.message ?? t('home.import-rows', { count: error_count })}{' '}
        {completed_at && <Since at={completed_at} />}
      </p>
    </Card>
  );
}

export function InvitationCard({ company, invitation }: { company: string; invitation: Invitation }) {
  const { collaborator_id, name, email, expires_at } = invitation;
  return (
    <Card>
      <p className="quiet">{t('home.invitation')}</p>
      <Link to="/$company/people/$person" params={{ company, person: collaborator_id }} className="card-link">
        {name}
      </Link>
      <p>
        {t('home.invitation-to', { email })} <Since at={expires_at} />
      </p>
    </Card>
  );
}

/** Whose account it is, is told to nobody but them. */
export function AdminsCard({ admins }: { admins: Schemas['SignInCounts'] }) {
  const { count, without_second_factor: without } = admins;
  return (
    <Card bad={count === 1}>
      <p className="quiet">{t('home.admins')}</p>
      <p>
        <strong>{count === 1 ? t('home.admins-one') : t('home.admins-some', { count: without, of: count })}</strong>
      </p>
      <p>
        {t('home.admins-more')} <a href={account_url}>{t('account')}</a>
      </p>
    </Card>
  );
}
