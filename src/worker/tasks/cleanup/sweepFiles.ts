import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { Storage } from '../../../platform/files/store/storage.ts';
import { sweepFiles as sweep } from '../../../platform/files/sweep.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { flagsOf, versioned } from '../../../platform/queue/job-versions.ts';

/** Limits the run time; a follow-up job continues. */
const budgetMs = 30_000;

export function sweepFiles(db: Database, storage: Storage, log: Logger): Task {
  return async (payload, helpers) => {
    const { after } = (payload ?? {}) as { after?: string };
    const swept = await sweep(db, storage, { after, budgetMs });
    log.info({ removed: swept.removed, finished: swept.after === undefined }, 'files swept');
    if (swept.after === undefined) return;
    const flags = flagsOf('sweepFiles');
    await helpers.addJob('sweepFiles', versioned('sweepFiles', { after: swept.after }), flags ? { flags } : {});
  };
}
