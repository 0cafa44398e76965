/** `/healthz`: the process lives. `/readyz`: it can also do its work. Both are for machines that run it. */
import { type Request, type Response, Router } from 'express';
import type { Database } from '../db/client.ts';

const ready_timeout_ms = 2_000;

export function health(db: Database): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  router.get('/readyz', async (_req: Request, res: Response) => {
    const ready = await answersInTime(db);
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'unavailable', database: ready });
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
