// Initial SCIM synchronization over five connections, as a provider does it: searches for each person, then creates them. Repeats
// it with PUT, which must change nothing.
import { Agent, request } from 'node:http';

const connections = 5;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

interface ScimResponse {
  status: number;
  body: { id?: string; totalResults?: number; meta?: { version: string } };
}

/** @returns whether there was no 429 or 5xx, everyone was created, and the second pass changed nobody */
export async function pushTwice(url: string, token: string, people: number): Promise<boolean> {
  const statuses = new Map<number, number>();
  const send = async (method: string, path: string, body?: object) => {
    const response = await sendRequest(url, token, method, path, body);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    return response;
  };
  const known = new Map<number, ScimResponse['body']>();
  const startedMs = performance.now();
  await inParallel(people, async (serial) => {
    await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${nameOf(serial)}"`)}`);
    const { status, body } = await send('POST', '/Users', personOf(serial));
    if (status === 201) known.set(serial, body);
  });
  const addedMs = performance.now();
  let changed = 0;
  await inParallel(people, async (serial) => {
    const before = known.get(serial);
    const { body } = await send('PUT', `/Users/${before?.id}`, personOf(serial));
    if (body.meta?.version !== before?.meta?.version) changed += 1;
  });
  const endedMs = performance.now();
  const { body: list } = await send('GET', '/Users?count=0');
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  console.log(
    `${people} people added in ${seconds(addedMs - startedMs)} s, and sent again in ${seconds(endedMs - addedMs)} s;`,
  );
  console.log(
    `responses: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}; changed the second time: ${changed};`,
  );
  console.log(`people in the directory: ${list.totalResults}.`);
  agent.destroy();
  const isRefused = [...statuses.keys()].some((status) => status >= 400);
  return !isRefused && changed === 0 && list.totalResults === people && known.size === people;
}

const nameOf = (serial: number) => `person${serial}@push.example`;

function personOf(serial: number) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: nameOf(serial),
    externalId: `push-${serial}`,
    name: { givenName: `Given${serial}`, familyName: `Family${serial % 97}` },
    title: `Position ${serial % 13}`,
    emails: [{ value: nameOf(serial), type: 'work', primary: true }],
    active: true,
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
      department: `Department ${serial % 31}`,
      employeeNumber: `P${serial}`,
    },
  };
}

async function inParallel(count: number, work: (serial: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, one));
}

function sendRequest(url: string, token: string, method: string, path: string, body?: object): Promise<ScimResponse> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
    const sent = request(`${url}${path}`, { method, headers, agent }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => {
        text += chunk;
      });
      res.on('end', () => resolve({ status: res.statusCode!, body: text === '' ? {} : JSON.parse(text) }));
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
