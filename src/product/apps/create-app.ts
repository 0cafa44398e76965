import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { normalizeUris } from '../../identity/clients/redirect-uris.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import { lockNamed } from '../../platform/db/named-lock.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';
import { newId } from '../../platform/values/ids.ts';
import { type AppRow, activeApps, appColumns } from './apps.ts';

const maxApps = 20;

type NewApp = components['schemas']['AppCreate'] & { created_by: string };

/**
 * Expects validated fields.
 * @returns the row, and its secret, which is never shown again; null for a public app
 * @throws 409 at the maximum per company
 */
export async function addApp(
  tx: TenantTransaction,
  { kind, name, visibility = 'company', redirect_uris: redirectUris, ...fields }: NewApp,
): Promise<{ row: AppRow; client_secret: string | null }> {
  await requireRoom(tx);
  const clientSecret = kind === 'public' ? null : newScannable('client_secret');
  // Statement time, not transaction time: under the lock, it gives the creation order.
  const now = sql<string>`statement_timestamp()`;
  const row = await tx.global
    .insertInto('oauth_clients')
    .values({
      ...fields,
      id: newId(),
      company_id: tx.company_id,
      name,
      redirect_uris: normalizeUris(redirectUris),
      visibility,
      secret_hash: clientSecret === null ? null : secretHash(clientSecret),
      created_at: now,
      updated_at: now,
    })
    .returning(appColumns)
    .executeTakeFirstOrThrow();
  await notifyAccessChanged(tx.raw, { clients: true });
  return { row, client_secret: clientSecret };
}

/** Locks, so that concurrent registrations don't exceed the maximum. */
async function requireRoom(tx: TenantTransaction): Promise<void> {
  await lockNamed(tx, 'apps');
  if ((await countRows(activeApps(tx))) >= maxApps)
    throw new Problem(409, 'conflict', t`A company can have ${maxApps} apps. Delete one first.`);
}
