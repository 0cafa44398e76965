/**
 * `/healthz` (liveness) and `/readyz` (readiness), for orchestrators and load balancers.
 *
 * Liveness fails only where a restart helps: when no database connection has responded for long although a new one works. While
 * the database is down or read-only, a new process couldn't do more than this one.
 *
 * With a read-only database a process stays ready and reports it: reads still work, and no other process could do more. The same
 * holds when a machine of a Citus cluster is lost: all companies on other machines are served.
 *
 * Neither fails with the file storage: most requests don't need it, and every process shares it. Readiness only reports it.
 */
import { type Request, type Response, Router } from 'express';
import type { Database } from '../../platform/db/client.ts';
import type { WatchedStore } from '../../platform/files/store/store-watch.ts';

const readyTimeoutMs = 2_000;

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
    const pingResult = await pingWithTimeout(db);
    const lostMachines = db.machines.lost();
    const storage = store.isUp();
    if (!pingResult) res.status(503).json({ status: 'unavailable', database: false, storage });
    else if (!pingResult.writable) res.json({ status: 'read_only', database: true, storage });
    else if (lostMachines > 0) res.json({ status: 'degraded', database: true, machines_lost: lostMachines, storage });
    else res.json({ status: 'ready', database: true, storage });
  });
  return router;
}

async function pingWithTimeout(db: Database): Promise<{ writable: boolean } | undefined> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(reject, readyTimeoutMs, new Error('timeout')).unref();
  });
  return Promise.race([db.ping(), timeout]).catch(() => undefined);
}
