// Benchmarks 20 custom fields per person: creates and lists people with values for all fields and without any, alternating on one
// machine, so only the ratio is meaningful.
import { signIn } from '../run/sign-in.ts';
import { startBenchDatabase } from './harness/database.ts';
import { formatMedian, markdownTable } from './harness/figures.ts';
import { fill } from './harness/fill.ts';
import { orderOf } from './harness/order.ts';
import { startServer } from './harness/servers.ts';

const [rounds = 9, peoplePerRound = 200] = process.argv.slice(2).map(Number);
const types = ['text', 'number', 'date', 'choice', 'boolean'] as const;
const fields = Array.from({ length: 20 }, (_, n) => ({ key: `field_${n}`, type: types[n % types.length]! }));
const listsPerRound = 50;
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
  const baseUrl = await startServer(['src/main.ts', 'api'], { DATABASE_URL: url });
  const { access_token: token } = await signIn({ base_url: baseUrl, ...data });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const server = { name, base_url: baseUrl, headers: { ...headers, 'x-company-id': data.company_id }, values };
  for (const { key, type } of values ? fields : []) {
    const options = type === 'choice' ? { options: [{ key: 'size_m', label: { default: 'M' } }] } : {};
    await sendRequest(server, 'POST', '/v1/custom-fields', { key, type, label: { default: key }, ...options });
  }
  return server;
}

async function main(servers: readonly Server[]): Promise<void> {
  const workloads = { create: creations, 'list, 20 people': listsOf(20), 'list, 100 people': listsOf(100) };
  const durationsMs = new Map<string, number[]>();
  for (let round = -1; round < rounds; round++) {
    for (const [name, work] of Object.entries(workloads)) {
      for (const server of orderOf(servers, round + 1)) {
        const startedMs = performance.now();
        await work(server);
        const key = `${name} ${server.name}`;
        if (round >= 0) durationsMs.set(key, [...(durationsMs.get(key) ?? []), performance.now() - startedMs]); // skips the warm-up round
      }
    }
  }
  const rows = Object.keys(workloads).map((name) => {
    const [without, withFields] = [durationsMs.get(`${name} without`)!, durationsMs.get(`${name} with`)!];
    return [
      name,
      formatMedian(
        withFields.map((ms, round) => ms / without[round]!),
        2,
      ),
    ];
  });
  console.log(`${fields.length} fields a person, ${rounds} rounds, Node ${process.version}\n`);
  console.log(markdownTable(['', 'time with / without'], rows));
}

async function creations(server: Server): Promise<void> {
  for (let n = 0; n < peoplePerRound; n++) {
    serial += 1;
    const person = {
      name: `Person ${serial}`,
      email: `p${serial}@example.com`,
      position: 'Driver',
      department: 'Fleet',
    };
    await sendRequest(server, 'POST', '/v1/collaborators', {
      ...person,
      ...(server.values && { custom_fields: server.values }),
    });
  }
}

function listsOf(people: number) {
  return async (server: Server): Promise<void> => {
    for (let n = 0; n < listsPerRound; n++) await sendRequest(server, 'GET', `/v1/collaborators?limit=${people}`);
  };
}

async function sendRequest(
  { base_url: baseUrl, headers }: Server,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const requestBody = body ? JSON.stringify(body) : null;
  const response = await fetch(baseUrl + path, { method, headers, body: requestBody });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
}
