/** Refreshes the metadata of a provider, so that certificate rotation needs no manual work. */
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/client.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { targetError } from '../../webhooks/subscriptions/target.ts';
import type { SamlConnection } from '../connection-at-sign-in.ts';
import { fetchMetadata } from './saml-input.ts';

/**
 * At most once an hour. If it fails, sign-ins use the stored metadata until the next try.
 * @returns the connection to use now
 */
export async function withFreshMetadata<
  C extends Pick<SamlConnection, 'id' | 'issuer' | 'metadata_url' | 'certificates'>,
>(
  { db, signIn, log }: { db: Database; signIn: { allow_private: boolean }; log?: Logger | undefined },
  connection: C,
): Promise<C> {
  const { id, metadata_url: url } = connection;
  if (url === null || !(await isDue(db, id, url))) return connection;
  try {
    const { entity_id: entityId, sso_url: ssoUrl, certificates } = await fetchMetadata(url, signIn);
    if (entityId !== connection.issuer) throw new Error(`the metadata belongs to ${entityId}`);
    if (await targetError(ssoUrl, signIn)) throw new Error('the metadata has a sign-in URL that is not allowed');
    await db.global
      .updateTable('sign_in_connections')
      .set({ sso_url: ssoUrl, certificates })
      .where('id', '=', id)
      .where('metadata_url', '=', url)
      .execute();
    return { ...connection, sso_url: ssoUrl, certificates };
  } catch (error) {
    log?.warn({ err: error, connection_id: id }, 'metadata of an identity provider could not be read');
    return connection;
  }
}

/** True for only one of several concurrent sign-ins. */
async function isDue(db: Database, id: string, url: string): Promise<boolean> {
  const claimed = await db.global
    .updateTable('sign_in_connections')
    .set({ metadata_read_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('metadata_url', '=', url)
    .where('metadata_read_at', '<', sql<string>`now() - interval '1 hour'`)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}
