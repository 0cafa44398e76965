/** What is done to a database before it is used: a look whether it is fit, migrations as the owner of the tables, then the application's rights. */

import type pg from 'pg';
import { keepWithRole } from '../connection/keep-with-role.ts';
import { connected, openSession } from '../connection/open.ts';
import type { SessionLimits } from '../connection/session.ts';
import { refuseOtherSettings, refuseUnfitFor } from './fitness/refuse-unfit.ts';
import { migrateBy } from './migrate.ts';
import { grantPrivilegesBy } from './privileges.ts';

interface DatabaseAddresses extends SessionLimits {
  /** Where the application connects. */
  url: string;
  /** The same past a pooler. */
  directUrl?: string | undefined;
  /** The same for the login that owns the tables. */
  ownerUrl?: string | undefined;
  /** Whether a pooler stands before `url`. */
  pooled: boolean;
}

/**
 * @param migrateQueue makes the tables of the queue, where they are needed
 * @returns the addresses at which the application has the rights of the application, and no others
 * @throws when the database can't be reached, is not fit, or the application would have more rights than it may
 */
export async function prepareDatabase(
  { url, directUrl: pastPooler = url, ownerUrl = pastPooler, pooled, ...limits }: DatabaseAddresses,
  migrateQueue?: (url: string, client: pg.Client) => Promise<void>,
): Promise<{ url: string; directUrl: string }> {
  // All of it by one connection: opening each takes as long as most of what is asked.
  const directUrl = await connected(openSession(ownerUrl, { application_name: 'start' }), async (owner) => {
    await refuseUnfitFor(owner, { ownerUrl, directUrl: pastPooler });
    await migrateBy(owner);
    await migrateQueue?.(ownerUrl, owner);
    return grantPrivilegesBy(owner, { ownerUrl, url: pastPooler });
  });
  if (url === pastPooler) return { url: directUrl, directUrl };
  if (directUrl !== pastPooler) {
    throw new Error(
      'DATABASE_URL logs in as a superuser, which the database can not restrain: give it a login of its own',
    );
  }
  if (pooled) {
    await keepWithRole(directUrl, limits);
    await refuseOtherSettings(url);
  }
  return { url, directUrl };
}
