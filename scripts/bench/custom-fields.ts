// Benchmarks 20 custom fields per person: creates and lists people with values for all fields and without any, alternating on one
// machine, so only the ratio is meaningful.
import { signIn } from '../run/sign-in.ts';
import { startBenchDatabase } from './harness/database.ts';
import { markdownTable, rangeOf, shownRange } from './harness/figures.ts';
import { fill } from './harness/fill.ts';
import { orderOf } from './harness/order.ts';
import { startServer } from './harness/servers.ts';

const [rounds = 9, peopleARound = 200] = process.argv.slice(2).map(Number);
const types = ['text', 'number', 'date', 'choice', 'boolean'] as const;
const fields = Array.from({ length: 20 }, (_, n) => ({ key: `field_${n}`, type: types[n % types.length]! }));
const listsARound = 50;
const noLimit = '100000000';
let serial = 0;

interface Server {
  name: string;
  base_url: string;
  headers: Record<string, string>;
  values: object | undefined;
}

const databases = [await startBenchDatabase(), await startBenchDatabase()];
try {
  const [without, withFields] = databases;
  await main([
    await prepared('without', without!.url, undefined),
    await prepared(
      'with',
      withFields!.url,
      Object.fromEntries(fields.map(({ key, type }) => [key, valueOfType(type)])),
    ),
  ]);
} finally {
  for (const database of databases) await database.end();
}

function valueOfType(type: (typeof types)[number]) {
  return { text: 'Campinas, gate 4', number: 41.5, date: '2026-03-02', choice: 'size_m', boolean: true }[type];
}

async function prepared(name: string, url: string, values: object | undefined): Promise<Server> {
  const data = await fill(url, 10, 2);
  const limits = ['REQUESTS', 'WRITES'].map((limit) => [`RATE_LIMIT_${limit}_PER_MIN`, noLimit]);
  const baseUrl = await startServer(['src/main.ts', 'api'], { DATABASE_URL: url, ...Object.fromEntries(limits) });
  const { access_token: token } = await signIn({ base_url: baseUrl, ...data });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const server = { name, base_url: baseUrl, headers: { ...headers, 'x-company-id': data.company_id }, values };
  for (const { key, type } of values ? fields : []) {
    const options = type === 'choice' ? { options: [{ key: 'size_m', label: { default: 'M' } }] } : {};
    await ask(server, 'POST', '/v1/custom-fields', { key, type, label: { default: key }, ...options });
  }
  return server;
}

async function main(servers: readonly Server[]): Promise<void> {
  const works = { create: creations, 'list, 20 people': listsOf(20), 'list, 100 people': listsOf(100) };
  const found = new Map<string, number[]>();
  for (let round = -1; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      for (const server of orderOf(servers, round + 1)) {
        const began = performance.now();
        await work(server);
        const key = `${name} ${server.name}`;
        if (round >= 0) found.set(key, [...(found.get(key) ?? []), performance.now() - began]); // skips the warm-up round
      }
    }
  }
  const rows = Object.keys(works).map((name) => {
    const [without, withFields] = [found.get(`${name} without`)!, found.get(`${name} with`)!];
    return [name, shownRange(rangeOf(withFields.map((ms, round) => ms / without[round]!)), 2)];
  });
  console.log(`${fields.length} fields a person, ${rounds} rounds, Node ${process.version}\n`);
  console.log(markdownTable(['', 'time with / without'], rows));
}

async function creations(server: Server): Promise<void> {
  for (let n = 0; n < peopleARound; n++) {
    serial += 1;
    const person = {
      name: `Person ${serial}`,
      email: `p${serial}@example.com`,
      position: 'Driver',
      department: 'Fleet',
    };
    await ask(server, 'POST', '/v1/collaborators', {
      ...person,
      ...(server.values && { custom_fields: server.values }),
    });
  }
}

function listsOf(people: number) {
  return async (server: Server): Promise<void> => {
    for (let n = 0; n < listsARound; n++) await ask(server, 'GET', `/v1/collaborators?limit=${people}`);
  };
}

async function ask({ base_url: baseUrl, headers }: Server, method: string, path: string, body?: object): Promise<void> {
  const sent = body ? JSON.stringify(body) : null;
  const answer = await fetch(baseUrl + path, { method, headers, body: sent });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
}
