/** A read-only database, such as a standby: what still works, and how it is reported. */
import { eventually } from '../../helpers/eventually.ts';
import { type WatchedService, watchedService } from '../observe/service.ts';

let service: WatchedService;
beforeAll(async () => {
  service = await watchedService({});
});
afterAll(() => service.close());

/** Applies immediately, to existing connections too. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { pathname } = new URL(service.database.url);
  const name = pathname.slice(1);
  const change = `alter database ${name} set default_transaction_read_only = ${value}`;
  await service.database.query(`begin read write; ${change}; commit`);
  await service.database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  );
}

const person = { name: 'Ana Lima', position: 'Driver', department: 'Fleet' };
const add = (email: string) => service.request('POST', '/v1/collaborators', {}, { ...person, email });
const ready = async () => {
  const response = await service.request('GET', '/readyz');
  return [response.status, await response.json()];
};
const figure = async (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(await service.figures())?.[1];
const reads = ['collaborators', 'collaborators?search=ana', 'permissions', 'audit', 'webhooks', 'events', 'imports'];

test('reads work, everything else returns 503, monitoring reports it, and no restart is needed', async () => {
  const created = await add('before@example.com');
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  expect(await ready()).toEqual([200, { status: 'ready', database: true, storage: true }]);
  await eventually(async () => expect(await figure('database_writable')).toBe('1'));

  await setReadOnly('on');
  await eventually(async () =>
    expect(await ready()).toEqual([200, { status: 'read_only', database: true, storage: true }]),
  );
  const changes: [string, string, object?][] = [
    ['POST', '/v1/collaborators', { ...person, email: 'refused@example.com' }],
    ['PATCH', `/v1/collaborators/${id}`, { position: 'Planner' }],
    ['DELETE', `/v1/collaborators/${id}`],
    ['POST', '/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] }],
    ['GET', '/v1/collaborators/export/list?format=csv'], // creates a file and a row
  ];
  for (const [method, path, body] of changes) {
    const refused = await service.request(method, path, {}, body);
    expect([path, refused.status]).toEqual([path, 503]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'service_unavailable' });
  }
  for (const path of [...reads, `collaborators/${id}`, `collaborators/${id}/history`])
    expect([path, (await service.request('GET', `/v1/${path}`)).status]).toEqual([path, 200]);
  await eventually(async () => expect(await figure('database_writable')).toBe('0'));
  expect(await figure('database_up')).toBe('1');
  expect(await figure('database_errors_total\\{sqlstate="25006"\\}')).toBeDefined();

  await setReadOnly('off');
  await eventually(async () => expect((await add('after@example.com')).status).toBe(201));
  await eventually(async () => expect(await figure('database_writable')).toBe('1'));
  expect(await ready()).toEqual([200, { status: 'ready', database: true, storage: true }]);
  const failed = service.lines().filter(({ status }) => Number(status) === 500);
  expect(failed).toEqual([]);
});
