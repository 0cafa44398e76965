/** Once an hour: deletes what nobody can use any more, and retires signing keys whose last token has expired. */
import type { Task } from 'graphile-worker';
import type { Database } from '../db/client.ts';
import type { Logger } from '../log.ts';
import { removeExpired as removeArtifacts } from '../oauth/adapter.ts';
import { removeEndedGrants } from '../oauth/grants.ts';
import { removeRetiredKeys, retireOldKeys } from '../oauth/keys.ts';
import { removeOldCounts } from '../oauth/limits.ts';
import { removeOldResets } from '../oauth/resets.ts';
import { removeDeletedDocuments } from './deleted-documents.ts';
import { removeFailedJobs } from './failed-jobs.ts';
import { removeOldIdempotencyKeys } from './idempotency-keys.ts';

export function removeExpired(db: Database, access_token_lifetime_s: number, log: Logger): Task {
  return async () => {
    const removed = {
      artifacts: await removeArtifacts(db),
      password_resets: await removeOldResets(db),
      idempotency_keys: await removeOldIdempotencyKeys(db),
      rate_limits: await removeOldCounts(db),
      retired_keys: await removeRetiredKeys(db),
      ended_grants: await removeEndedGrants(db.global),
      deleted_documents: await removeDeletedDocuments(db),
      failed_jobs: await removeFailedJobs(db),
    };
    const retired = await retireOldKeys(db, access_token_lifetime_s);
    log.info({ removed, keys_retired: retired }, 'expired rows removed');
  };
}
