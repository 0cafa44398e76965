/** Every few minutes: tells which invitations were not answered in time. */
import type { Task } from 'graphile-worker';
import { expireInvitations as expireOfCompany } from '../collaborators/expire.ts';
import type { Database } from '../db/client.ts';
import type { Logger } from '../log.ts';
import { inEachCompany } from './each-company.ts';

export function expireInvitations(db: Database, log: Logger): Task {
  return async () => {
    const expired = await inEachCompany(db, expireOfCompany);
    if (expired > 0) log.info({ expired }, 'invitations expired');
  };
}
