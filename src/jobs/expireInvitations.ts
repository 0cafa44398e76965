/** Every few minutes: tells which invitations were not answered in time. */
import type { Task } from 'graphile-worker';
import { expireInvitations as expireOfCompany } from '../collaborators/expire.ts';
import type { Database } from '../db/client.ts';
import type { Logger } from '../log.ts';

export function expireInvitations(db: Database, log: Logger): Task {
  return async () => {
    let expired = 0;
    for (const { id } of await db.global.selectFrom('companies').select('id').execute()) {
      expired += await expireOfCompany(db.tenant(id));
    }
    if (expired > 0) log.info({ expired }, 'invitations expired');
  };
}
