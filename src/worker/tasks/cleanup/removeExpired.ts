/** Hourly: deletes expired data, and retires signing keys whose last token has expired. */
import type { Task } from 'graphile-worker';
import { removeOldDevices } from '../../../identity/devices/devices.ts';
import { removeUsedChallenges } from '../../../identity/factors/challenges.ts';
import { removeEndedGrants } from '../../../identity/grants/grants.ts';
import { removeOldResets } from '../../../identity/passwords/password-resets.ts';
import { removeExpired as removeArtifacts } from '../../../identity/provider/adapter.ts';
import { removeOldSessions } from '../../../identity/sessions/sessions.ts';
import { removeRetiredKeys, retireOldKeys } from '../../../identity/tokens/signing-keys.ts';
import { removeOldCounts } from '../../../identity/users/sign-in-limits.ts';
import type { Database } from '../../../platform/db/client.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { removeOldUses } from '../../../product/connections/connection-usage.ts';
import { removeExpiredClientKeys } from '../../../product/sign-in-connections/client-keys.ts';
import { removeOldRequests } from '../../../product/sign-in-connections/saml/pending-requests.ts';
import { inEachCompany } from '../each-company.ts';
import { removeFailedJobs, removeOldWorkers } from '../failed-jobs.ts';
import { removeDeletedDocuments } from './deleted-documents.ts';
import { removeOldIdempotencyKeys } from './idempotency-keys.ts';

export function removeExpired(db: Database, accessTokenLifetimeS: number, log: Logger): Task {
  return async () => {
    const removed = {
      artifacts: await removeArtifacts(db),
      used_challenges: await removeUsedChallenges(db),
      sign_in_requests: await removeOldRequests(db),
      sign_in_keys: await removeExpiredClientKeys(db),
      user_sessions: await removeOldSessions(db),
      user_devices: await removeOldDevices(db),
      password_resets: await removeOldResets(db),
      idempotency_keys: await removeOldIdempotencyKeys(db),
      rate_limits: await removeOldCounts(db),
      retired_keys: await removeRetiredKeys(db),
      ended_grants: await removeEndedGrants(db.global),
      deleted_documents: await removeDeletedDocuments(db),
      failed_jobs: await removeFailedJobs(db),
      connection_uses: await inEachCompany(db, removeOldUses),
      workers: await removeOldWorkers(db),
    };
    const retired = await retireOldKeys(db, accessTokenLifetimeS);
    log.info({ removed, keys_retired: retired }, 'expired rows removed');
  };
}
