/**
 * `/healthz`: the process lives. `/readyz`: it can also do its work, and is not about to stop. Both are for machines that
 * run it: who fails the first is started again, who fails the second gets no more requests. That a machine of a Citus cluster
 * is lost is told, but is no failure: no other process could serve its companies, and this one serves all others.
 */
import { type Request, type Response, Router } from 'express';
import type { Database } from '../../platform/db/client.ts';

const ready_timeout_ms = 2_000;

/** @param stopping aborted when the process is to stop */
export function health(db: Database, stopping?: AbortSignal): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  router.get('/readyz', async (_req: Request, res: Response) => {
    if (stopping?.aborted) {
      res.status(503).json({ status: 'stopping' });
      return;
    }
    const ready = await answersInTime(db);
    const lost = db.lostMachines();
    if (!ready) res.status(503).json({ status: 'unavailable', database: false });
    else if (lost) res.json({ status: 'degraded', database: true, machines_lost: lost });
    else res.json({ status: 'ready', database: true });
  });
  return router;
}

async function answersInTime(db: Database): Promise<boolean> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(reject, ready_timeout_ms, new Error('timeout')).unref();
  });
  return Promise.race([db.ping(), timeout]).then(
    () => true,
    () => false,
  );
}
