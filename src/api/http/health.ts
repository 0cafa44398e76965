/**
 * `/healthz`: the process lives. `/readyz`: it can also do its work, and is not about to stop. Both are for machines that
 * run it: who fails the first is started again, who fails the second gets no more requests.
 *
 * The first fails only where a restart helps: when nothing has come from any connection to the database for long, although a
 * new one works. While the database is down, or takes changes no more, a new process could do no more than this one.
 *
 * On a database that takes no changes a process stays ready, and says that it is read only: reads are answered, and there is
 * no other process that could do more. The same is so while a machine of a Citus cluster is lost: it serves all companies but
 * those on it.
 *
 * Neither fails with the store of files, on which most requests do not depend and which is the same for every process; the
 * second only tells of it.
 */
import { type Request, type Response, Router } from 'express';
import type { Database } from '../../platform/db/client.ts';
import type { WatchedStore } from '../../platform/files/store/store-watch.ts';

const readyTimeoutMs = 2_000;

/** @param stopping aborted when the process is to stop */
export function health(db: Database, store: WatchedStore, stopping?: AbortSignal): Router {
  const router = Router();
  router.get('/healthz', async (_req: Request, res: Response) => {
    if (await db.isStuck()) res.status(503).json({ status: 'stuck' });
    else res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req: Request, res: Response) => {
    if (stopping?.aborted) {
      res.status(503).json({ status: 'stopping' });
      return;
    }
    const answer = await answerInTime(db);
    const machinesLost = db.machines.lost();
    const storage = store.isUp();
    if (!answer) res.status(503).json({ status: 'unavailable', database: false, storage });
    else if (!answer.writable) res.json({ status: 'read_only', database: true, storage });
    else if (machinesLost > 0) res.json({ status: 'degraded', database: true, machines_lost: machinesLost, storage });
    else res.json({ status: 'ready', database: true, storage });
  });
  return router;
}

async function answerInTime(db: Database): Promise<{ writable: boolean } | undefined> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(reject, readyTimeoutMs, new Error('timeout')).unref();
  });
  return Promise.race([db.ping(), timeout]).catch(() => undefined);
}
