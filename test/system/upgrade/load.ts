/** Clients that continue whatever happens to the service, and record its responses. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../helpers/eventually.ts';

const clients = 2;
/** Pause between rounds of a client, so that processes have CPU time to start. */
const pauseMs = 250;

interface LoadOptions {
  base_url: string;
  company_id: string;
  token: string;
  hookUrl: string;
}

interface Load {
  /** Waits until every client has completed a round. */
  goesOn(): Promise<void>;
  /** @returns emails of created people, and unsuccessful responses */
  end(): Promise<{ acknowledged: string[]; failed: string[] }>;
}

/** Clients that create, update, read, and list people in sequence over a kept connection. */
export async function load({ base_url: baseUrl, company_id: companyId, token, hookUrl }: LoadOptions): Promise<Load> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Company-Id': companyId, 'Content-Type': 'application/json' };
  const acknowledged: string[] = [];
  const failed: string[] = [];
  const rounds = Array.from({ length: clients }, () => 0);
  let running = true;

  const send = (agent: Agent, method: string, path: string, body?: object): Promise<{ id: string } | undefined> =>
    new Promise((resolve) => {
      const fail = (reason: unknown) => {
        failed.push(`${method} ${path}: ${reason}`);
        resolve(undefined);
      };
      const sent = request(new URL(path, baseUrl), { agent, method, headers }, async (response) => {
        let text = '';
        try {
          for await (const chunk of response) text += chunk;
          if (response.statusCode! < 300) resolve(text ? JSON.parse(text) : { id: '' });
          else fail(`${response.statusCode} ${text}`);
        } catch (error) {
          fail(error);
        }
      });
      sent.once('error', fail);
      sent.end(body && JSON.stringify(body));
    });

  const client = async (at: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 1; running; n++) {
      const email = `client-${at}-${n}@example.com`;
      const person = { name: `Person ${n}`, email, position: 'Driver', department: 'Fleet' };
      const created = await send(agent, 'POST', '/v1/collaborators', person);
      if (created) {
        acknowledged.push(email);
        const path = `/v1/collaborators/${created.id}`;
        await send(agent, 'PATCH', path, { position: 'Planner' });
        for (const read of [path, `${path}/history`, '/v1/collaborators?limit=20', '/v1/permissions'])
          await send(agent, 'GET', read);
        if (n % 5 === 1) await send(agent, 'POST', `${path}/send-invitation`);
      }
      rounds[at]!++;
      await sleep(pauseMs);
    }
    agent.destroy();
  };

  const once = new Agent();
  await send(once, 'POST', '/v1/webhooks', { url: hookUrl, events: ['collaborator.created'] });
  once.destroy();
  const all = Promise.all(rounds.map((_, at) => client(at)));
  return {
    async goesOn() {
      const before = [...rounds];
      await eventually(() => {
        if (rounds.some((count, at) => count <= before[at]!)) throw new Error('a client waits');
      });
    },
    async end() {
      running = false;
      await all;
      return { acknowledged, failed };
    },
  };
}
