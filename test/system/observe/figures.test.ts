/** Metrics and slow query logs of a running service. Dashboard, alerts, and the operators' page name only existing metrics. */
import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import pg from 'pg';
import { Registry } from 'prom-client';
import { measureBacklog } from '../../../src/platform/observe/backlog.ts';
import { groupOf } from '../../../src/platform/observe/requests.ts';
import { testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type WatchedService, watchedService } from './service.ts';

let service: WatchedService;
beforeAll(async () => {
  service = await watchedService({
    LOG_SLOW_QUERY_MS: '300',
    LOG_SLOW_REQUEST_MS: '300',
    DATABASE_STATEMENT_TIMEOUT_MS: '3000',
    RATE_LIMIT_HEAVY_PER_MIN: '1',
  });
});
afterAll(() => service.close());

const collaborators = '/v1/collaborators';
/** One metric by name and labels, as printed. */
const figure = (text: string, name: string) => {
  const line = text.split('\n').find((line) => line.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

test('report slow requests and statements, lock waits, and statements that Postgres cancels', async () => {
  const whileLocking = async (table: string, work: () => Promise<unknown>) => {
    const holder = new pg.Client(service.database.url);
    await holder.connect();
    try {
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      await work();
    } finally {
      await holder.end();
    }
  };
  const waiting = () =>
    eventually(async () => {
      const sql = `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and now() - query_start > interval '0.4 s'`;
      expect((await service.database.query<{ count: number }>(sql))[0]!.count).toBeGreaterThan(0);
    });

  let response: Promise<Response> | undefined;
  await whileLocking('audit_log', async () => {
    response = service.request('GET', '/v1/audit?action=secretname', { 'X-Request-Id': 'slow-1' });
    await waiting();
    const text = await service.figures();
    expect(figure(text, 'database_lock_waits')).toBeGreaterThan(0);
    expect(figure(text, 'http_requests_in_flight')).toBe(1);
    expect(figure(text, 'database_up')).toBe(1);
  });
  expect((await response!).status).toBe(200);
  const linesOf = (requestId: string) => service.lines().filter((line) => line.request_id === requestId);
  await eventually(() => expect(linesOf('slow-1').map(({ msg }) => msg)).toContain('request'));
  // On a busy machine, statements before the operation may be slow as well.
  const query = linesOf('slow-1').find(({ msg, doing }) => msg === 'slow query' && doing === 'listAudit');
  expect(query).toMatchObject({ level: 'warn', sql: expect.stringMatching(/^select/) });
  expect(query).toMatchObject({ duration_ms: expect.any(Number), rows: expect.any(Number) });
  expect(query!.duration_ms).toBeGreaterThanOrEqual(300);
  expect(linesOf('slow-1').at(-1)).toMatchObject({ level: 'warn', msg: 'request', slow: true, status: 200 });
  expect(JSON.stringify(linesOf('slow-1'))).not.toContain('secretname');

  await whileLocking('collaborators', async () => {
    const headers = { 'X-Request-Id': 'late-1' };
    const late = await service.request('GET', `${collaborators}/${service.company_id}`, headers);
    expect(late.status).toBeGreaterThanOrEqual(500);
  });
  await eventually(() => expect(linesOf('late-1').map(({ msg }) => msg)).toContain('request'));
  const aborted = linesOf('late-1').find(({ msg }) => msg === 'query aborted');
  expect(aborted).toMatchObject({ sqlstate: '57014', reason: 'the statement timed out' });
  const text = await service.figures();
  expect(figure(text, 'database_errors_total{sqlstate="57014"}')).toBe(1);
  expect(figure(text, 'database_slow_statements_total')).toBeGreaterThanOrEqual(2);
});

test('a request is slow from the threshold on, and not before', async () => {
  await service.request('GET', '/v1/permissions', { 'X-Request-Id': 'quick-1' });
  const line = await eventually(() => {
    const found = service
      .lines()
      .find(({ request_id: requestId, msg }) => requestId === 'quick-1' && msg === 'request');
    expect(found).toMatchObject({ operationId: 'listPermissions', status: 200 });
    return found!;
  });
  const slow = Number(line.duration_ms) >= 300; // a busy machine
  expect([line.level, line.slow]).toEqual(slow ? ['warn', true] : ['info', undefined]);
});

test('count requests by operation, method, and status, without labels for paths or invalid methods', async () => {
  const before = await service.figures();
  const person = { name: 'Rui Sá', email: 'rui@example.com', position: 'Driver', department: 'Fleet' };
  expect((await service.request('POST', collaborators, {}, person)).status).toBe(201);
  expect((await service.request('POST', collaborators, {}, person)).status).toBe(400);
  for (const path of ['one', 'two', 'three']) await service.request('GET', `/v1/${path}`);
  await service.request('PROPFIND', '/v1/four').catch(() => {});
  await fetch(`${service.base_url}/healthz`);
  await fetch(`${service.base_url}/files/no-such-token`);
  await fetch(`${service.base_url}/.well-known/oauth-authorization-server`);
  const heavy = async () => (await service.request('GET', `${collaborators}/export/list`)).status;
  const statuses = [await heavy(), await heavy(), await heavy()]; // a minute may end between two of them
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThan(0);

  const text = await service.figures();
  const grown = (name: string) => figure(text, name)! - (figure(before, name) ?? 0);
  const labels = (operation: string, status: number, method = 'GET') =>
    `http_requests_total{operation="${operation}",method="${method}",status="${status}"}`;
  expect(grown(labels('createCollaborator', 201, 'POST'))).toBe(1);
  expect(grown(labels('createCollaborator', 400, 'POST'))).toBe(1);
  expect(grown(labels('unknown', 404))).toBe(3);
  expect(grown(labels('health', 200))).toBe(1);
  expect(grown(labels('files', 404))).toBe(1);
  expect(grown(labels('oauth', 200))).toBe(1);
  expect(grown(labels('exportList', 429))).toBe(refused);
  expect(grown('http_request_duration_seconds_count{operation="createCollaborator",method="POST"}')).toBe(2);
  expect(grown('http_errors_total{code="rate_limited"}')).toBe(refused);
  expect(grown('rate_limited_total{limit="heavy"}')).toBe(refused);
  expect(grown('token_verifications_total{cache="hit"}')).toBeGreaterThan(3);
  expect(figure(text, 'token_cache_entries')).toBe(1);
  expect(figure(text, 'http_requests_in_flight')).toBe(0);
  expect(figure(text, 'database_pool_wait_seconds_count')).toBeGreaterThan(0);
  expect(figure(text, 'contract_breaches_total{operation="createCollaborator"}')).toBeUndefined();
  expect(text).not.toMatch(/\/v1|PROPFIND|no-such-token/);
  const methods = new Set([...text.matchAll(/http_requests_total\{.*method="(\w+)"/g)].map(([, method]) => method));
  expect([...methods].sort()).toEqual(['GET', 'POST', 'other']);
});

test.each([
  ['/oauth/token', 'oauth'],
  ['/.well-known/openid-configuration', 'oauth'],
  ['/docs', 'docs'],
  ['/docs/guides/imports', 'docs'],
  ['/openapi.json', 'docs'],
  ['/llms.txt', 'docs'],
  ['/docsearch', 'unknown'],
  ['/readyz', 'health'],
])('count %s as %s', (path, group) => expect(groupOf(path)).toBe(group));

test('work without the database, and report its outage', async () => {
  const registry = new Registry();
  const backlog = measureBacklog(registry, 'postgres://nobody@127.0.0.1:1/none');
  const text = await registry.metrics();
  expect(figure(text, 'database_up')).toBe(0);
  expect(text).not.toMatch(/^(events_waiting|webhook_queue_depth|imports_oldest_age_seconds) /m);
  await backlog.close();
});

test('query the backlog once for many readers', async () => {
  const registry = new Registry();
  const idle = await testDatabase(1); // no worker runs there
  const backlog = measureBacklog(registry, idle.url);
  await idle.query("select graphile_worker.add_job('sweepFiles', run_at => now() - interval '50 s')");
  await idle.query("select graphile_worker.add_job('sendMail', run_at => now() + interval '50 s')");
  await idle.query("update graphile_worker._private_jobs set attempts = 1, last_error = 'no' where run_at > now()");
  const [first] = await Promise.all([registry.metrics(), registry.metrics()]);
  expect(figure(first, 'jobs_waiting{task="sweepFiles"}')).toBe(1);
  expect(figure(first, 'jobs_oldest_due_age_seconds{task="sweepFiles"}')).toBeGreaterThanOrEqual(50);
  expect(figure(first, 'jobs_given_up{task="sweepFiles"}')).toBe(0);
  expect(figure(first, 'jobs_failing{task="sweepFiles"}')).toBe(0);
  expect(figure(first, 'jobs_failing{task="sendMail"}')).toBe(1);
  expect(figure(first, 'jobs_waiting{task="sendMail"}')).toBe(0);
  expect(await backlog.read()).toBe(await backlog.read());
  await backlog.close();
  await idle.drop();
});

/** Metric names with their type; histograms have three suffixes. */
async function exposed(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [, name, kind] of (await service.figures()).matchAll(/^# TYPE (\w+) (\w+)$/gm)) names.set(name!, kind!);
  return names;
}

/** The metrics of a query: words without a bracket that are neither labels nor keywords. */
async function unknownNames(queries: string[]): Promise<string[]> {
  const known = await exposed();
  const queried = [...known].flatMap(([name, kind]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const words = queries.flatMap((query) => {
    const bare = query
      .replace(/"[^"]*"/g, '')
      .replace(/\{[^}]*\}/g, ' ')
      .replace(/\[[^\]]*\]/g, ' ')
      .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, ' ');
    return bare.match(/[a-zA-Z_]\w*(?!\w*\s*\()/g) ?? [];
  });
  const language = ['and', 'or', 'unless', 'by', 'up'];
  return [...new Set(words)].filter((word) => !queried.includes(word) && !language.includes(word));
}

const file = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the dashboard uses existing metrics', async () => {
  const dashboard = JSON.parse(await file('deploy/grafana/dashboard.json'));
  const targets = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) => panel.targets ?? []);
  const queries: string[] = targets.map(({ expr }: { expr: string }) => expr);
  expect(queries.length).toBeGreaterThan(15);
  expect(await unknownNames(queries)).toEqual([]);
  expect(await unknownNames(['rate(http_request_total[5m])'])).toEqual(['http_request_total']);
  const ids = dashboard.panels.map(({ id }: { id: number }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('alerts use existing metrics, and each says what to do', async () => {
  const { groups } = load(await file('deploy/prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
  };
  const rules = groups.flatMap(({ rules }) => rules);
  expect(rules.length).toBeGreaterThanOrEqual(8);
  expect(await unknownNames(rules.map(({ expr }) => expr))).toEqual([]);
  const page = await file('docs/operations/observability.md');
  for (const { alert, annotations } of rules) {
    expect(annotations).toMatchObject({ summary: expect.any(String), description: expect.any(String) });
    expect(page).toContain(`\`${alert}\``);
  }
});

test('the operators’ page lists exactly the existing metrics with type and labels', async () => {
  const page = await file('docs/operations/observability.md');
  const listed = [...page.matchAll(/^\| `(\w+)` +\| (counter|gauge|histogram) +\|/gm)].map(
    ([, name, kind]) => [name!, kind!] as const,
  );
  const own = [...(await exposed())].filter(([name]) => !/^(nodejs|process)_/.test(name));
  expect(listed.toSorted()).toEqual(own.toSorted());
  for (const [, series, labels] of (await service.figures()).matchAll(/^(\w+)\{(.*)\} /gm)) {
    const name = listed.find(([name]) => series === name || series!.replace(/_(bucket|sum|count)$/, '') === name)?.[0];
    const line = page.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    const names = [...labels!.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le');
    for (const label of line ? names : []) expect(line!.split('|')[3]).toContain(`\`${label}\``);
    const [, limit] = /^limit="(\w+)"$/.exec(labels!) ?? [];
    if (limit !== undefined) expect(line).toContain(`\`${limit}\``);
  }
});
