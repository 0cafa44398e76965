/** Webhook receivers of the demo company: one accepts everything, one starts failing, and one is gone. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '../../../src/platform/config/development.ts';
import { developmentSettings, rememberSettings } from '../../../src/platform/config/development.ts';
import type { Tenant } from '../../../src/platform/db/tenant.ts';

export const receiverPaths = { planner: '/shift-planner', payroll: '/payroll', badges: '/badges' };

/** Retry-After of the failing receiver: without it, all retries would be over within half an hour. */
const closedForS = 6 * 3_600;

export interface Receivers {
  /** No trailing slash. */
  url: string;
  /** Receivers that fail from now on. */
  broken: { payroll: boolean; badges: boolean };
  /** Points subscriptions to the current port, if the previous one is taken. */
  follow(tenant: Tenant): Promise<void>;
  close(): void;
}

/** Reuses the previous port if it is free. */
export async function startReceivers(environment: Environment): Promise<Receivers> {
  const broken = { payroll: true, badges: true };
  const server = createServer((req, res) => {
    req.resume().on('end', () => respond(req.url ?? '', res, broken));
  });
  const { DEMO_RECEIVER_PORT: before } = await developmentSettings(environment);
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(Number(before ?? 0)).catch(() => listen(0));
  const port = String((server.address() as AddressInfo).port);
  if (port !== before) await rememberSettings(environment, { DEMO_RECEIVER_PORT: port });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    broken,
    async follow(tenant) {
      if (!before || before === port) return;
      for (const path of Object.values(receiverPaths)) {
        const moved = tenant.updateTable('webhooks').set({ url: url + path });
        await moved.where('url', '=', `http://127.0.0.1:${before}${path}`).execute();
      }
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function respond(path: string, res: ServerResponse, { payroll, badges }: Receivers['broken']): void {
  const sendJson = (status: number, body: object) => {
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  if (path === receiverPaths.badges && badges) sendJson(410, { error: 'the badge printer was replaced' });
  else if (path === receiverPaths.payroll && payroll) {
    res.setHeader('Retry-After', closedForS);
    sendJson(503, { error: 'payroll is being moved to another server' });
  } else sendJson(200, { received: true });
}
