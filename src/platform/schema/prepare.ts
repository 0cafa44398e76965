/** Prepares a database for use: checks it, migrates it as the owner of the tables, and grants the application's privileges. */

import type pg from 'pg';
import { connected, openSession } from '../connection/open.ts';
import { storeRoleSettings } from '../connection/role-settings.ts';
import type { SessionLimits } from '../connection/session.ts';
import { refuseOtherSettings, refuseUnfitFor } from './fitness/refuse-unfit.ts';
import { migrateBy } from './migrate.ts';
import { grantPrivilegesBy } from './privileges.ts';

interface DatabaseAddresses extends SessionLimits {
  /** The application's URL. */
  url: string;
  /** The same, bypassing a pooler. */
  directUrl?: string | undefined;
  /** The same, for the login that owns the tables. */
  ownerUrl?: string | undefined;
  /** Whether `url` goes through a pooler. */
  pooled: boolean;
}

/**
 * @returns the URLs with which the application has exactly its privileges
 * @throws when the database is unreachable or unfit, or the application would have too many privileges
 */
export async function prepareDatabase(
  { url, directUrl: unpooledUrl = url, ownerUrl = unpooledUrl, pooled, ...limits }: DatabaseAddresses,
  migrateQueue?: (url: string, client: pg.Client) => Promise<void>,
): Promise<{ url: string; directUrl: string }> {
  // One connection for everything: opening one takes as long as most of the statements.
  const directUrl = await connected(openSession(ownerUrl, { application_name: 'start' }), async (owner) => {
    await refuseUnfitFor(owner, { ownerUrl, directUrl: unpooledUrl });
    await migrateBy(owner);
    await migrateQueue?.(ownerUrl, owner);
    return grantPrivilegesBy(owner, { ownerUrl, url: unpooledUrl });
  });
  if (url === unpooledUrl) return { url: directUrl, directUrl };
  if (directUrl !== unpooledUrl) {
    throw new Error("DATABASE_URL logs in as a superuser, whose access can't be restricted: use a separate login");
  }
  if (pooled) {
    await storeRoleSettings(directUrl, limits);
    await refuseOtherSettings(url);
  }
  return { url, directUrl };
}
