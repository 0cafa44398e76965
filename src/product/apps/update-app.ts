import { isDeepStrictEqual } from 'node:util';
import { sql, type Updateable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { OauthClients } from '../../../generated/db.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { normalizeUris } from '../../identity/clients/redirect-uris.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { type AppRow, appColumns, appEtag, lockApp } from './apps.ts';

/** Without read-only fields, which were checked and aren't written. */
type AppChange = Pick<
  components['schemas']['AppUpdate'],
  'name' | 'description' | 'logo_url' | 'website' | 'redirect_uris' | 'scopes' | 'visibility' | 'jwks'
>;

/** The fields the operator approved for use by all companies. */
const approvedFields = ['name', 'logo_url', 'website', 'redirect_uris', 'scopes'];

/**
 * Expects validated fields.
 * @param expected accepted entity tags; undefined for any
 * @throws 404 if it was deleted meanwhile; 412 if no tag matches
 */
export async function changeApp(
  tx: TenantTransaction,
  id: string,
  change: AppChange,
  expected?: readonly string[],
): Promise<AppRow> {
  const row = await lockApp(tx, id);
  if (expected && !expected.includes(appEtag(row))) {
    throw new Problem(412, 'precondition_failed', t`The app has changed since you read it. Read it again.`);
  }
  const set = differences(row, change);
  if (Object.keys(set).length === 0) return row;
  const changed = await tx.global
    .updateTable('oauth_clients')
    .set({ ...set, updated_at: sql<string>`statement_timestamp()` })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning(appColumns)
    .executeTakeFirstOrThrow();
  await notifyAccessChanged(tx.raw, { clients: true });
  // Existing tokens lose these scopes in every notified process.
  if ('scopes' in set) await notifyAccessChanged(tx.raw, { client_id: id });
  return changed;
}

function differences(
  row: AppRow,
  { name, redirect_uris: redirectUris, ...others }: AppChange,
): Updateable<OauthClients> {
  const updated = {
    ...others,
    ...(name !== undefined && { name }),
    ...(redirectUris !== undefined && { redirect_uris: normalizeUris(redirectUris) }),
  };
  const set: Updateable<OauthClients> = {};
  for (const [field, value] of Object.entries(updated)) {
    const differs = value !== undefined && !isDeepStrictEqual(value, row[field as keyof typeof updated]);
    if (differs) Object.assign(set, { [field]: value });
  }
  if (row.approved_at && approvedFields.some((field) => field in set)) set.approved_at = null;
  return set;
}
