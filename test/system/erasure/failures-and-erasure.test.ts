/**
 * Processes a person's data while every dependency fails and echoes its input in errors: mail server, webhook receiver,
 * and file store. Marker words must not reach logs or job errors, and after erasure exist nowhere.
 */
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { pdf, picture } from '../../helpers/resources/documents.ts';
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { findTraces } from '../../helpers/traces.ts';
import { startSmtp, type TestSmtp } from '../../platform/mail/smtp.ts';
import { type WatchedService, watchedService } from '../observe/service.ts';

const word = 'qxmarked';
const digits = '9555000';
const address = `${word}@example.com`;

let service: WatchedService;
let smtp: TestSmtp;
let hooks: Receiver;
let store: S3Peer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  [smtp, hooks, store, folder] = await Promise.all([startSmtp(), receiver(), startS3(), temporaryFolder()]);
  smtp.rejectsRecipients = true;
  hooks.respond((response, { body }) => void response.writeHead(500).end(body));
  service = await watchedService({
    STORAGE_URL: store.url(),
    SMTP_URL: smtp.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'trace',
    LOG_SLOW_QUERY_MS: '1',
    WORKER_UPKEEP_MS: '100',
    EXPORT_PAUSE_S: '1',
  });
});
afterAll(async () => {
  await service.close();
  await Promise.all([smtp.close(), hooks.close(), store.close(), folder.remove()]);
});

const sendRequest = async (method: string, path: string, body?: unknown) => {
  const reply = await service.request(method, path, {}, body);
  return { status: reply.status, body: (await reply.json()) as Record<string, string> };
};

const texts = {
  name: `Ana ${word}`,
  phone: `+55 11 ${digits}1`,
  position: `Planner ${word}`,
  department: `Dep ${word}`,
  location: `Site ${word}`,
  emergency_contact: { name: `Rui ${word}`, phone: `+55 21 ${digits}2`, relationship: `uncle ${word}` },
};

const file = csv([
  requiredHeaders,
  [`Someone with ${word}`, `not an address ${word}`, `x ${word}`, 'y'],
  [`Ben ${word}`, `${word}-import@example.com`, 'Driver', 'Fleet'],
]).toString('base64');

function documentForm(): FormData {
  const form = new FormData();
  form.set('type', 'contract');
  form.set('description', `About ${word}`);
  form.set('file', new Blob([pdf, `% ${word}\n`], { type: 'application/pdf' }), `${word}.pdf`);
  return form;
}

/** Uses every feature with files. @returns the status codes */
async function useStore(id: string): Promise<number[]> {
  const photo = (await picture()).toString('base64');
  const responses = [
    await sendRequest('POST', `/v1/collaborators/${id}/documents`, documentForm()),
    await sendRequest('PUT', `/v1/collaborators/${id}/photo`, { content_base64: photo }),
    await sendRequest('GET', `/v1/collaborators/export/individual?collaborator_id=${id}`),
    await sendRequest('GET', '/v1/collaborators/export/list?format=csv'),
  ];
  return responses.map(({ status }) => status);
}

async function nothingOpen(): Promise<void> {
  const [row] = await service.database.query<{ open: number }>(
    `select (select count(*) from imports where due_at is not null)::int + (select count(*) from events where sequence is null)::int
      + (select count(*) from exports where due_at is not null)::int as open`,
  );
  expect(row!.open).toBe(0);
}

const found = (text: string) => text.toLowerCase().includes(word) || text.includes(digits);
const logged = () =>
  service
    .lines()
    .map((line) => JSON.stringify(line))
    .filter(found);

async function* stored() {
  for (const [name, { content }] of store.objects) yield { name, bytes: content };
}

test('markers survive neither failures of every dependency nor the erasure', async () => {
  await sendRequest('POST', '/v1/webhooks', { url: hooks.url, events: ['*'] });
  const created = await sendRequest('POST', '/v1/collaborators', { ...texts, email: address });
  expect(created.status).toBe(201);
  const id = created.body.id!;
  expect((await sendRequest('POST', `/v1/collaborators/${id}/send-invitation`, {})).status).toBe(200);

  // First writes fail, then reads by a worker, then everything works.
  store.fail(500);
  const refused = await useStore(id);
  expect(refused.filter((status) => status < 500)).toEqual([]);
  expect(
    (await sendRequest('POST', '/v1/collaborators/import', { filename: `${word}.csv`, content_base64: file })).status,
  ).toBe(503);
  store.fail(500, ['GET', 'HEAD']);
  const body = { filename: `${word}.csv`, content_base64: file, dry_run: true };
  const started = await sendRequest('POST', '/v1/collaborators/import', body);
  expect(started.status).toBe(202);
  await eventually(() =>
    expect(service.lines()).toContainEqual(expect.objectContaining({ msg: 'import was interrupted' })),
  );
  store.fail(undefined);
  expect(await useStore(id)).toEqual([201, 200, 200, 200]);
  await sendRequest('PATCH', `/v1/collaborators/${id}`, { position: `Lead ${word}` });
  await eventually(async () => {
    expect((await sendRequest('GET', `/v1/imports/${started.body.id}`)).body.status).toMatch(/^completed/);
    await nothingOpen();
  });
  const failedMails = await eventually(async () => {
    const rows = await service.database.query<{ last_error: string }>(
      "select last_error from graphile_worker.jobs where task_identifier = 'sendMail' and last_error is not null",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(hooks.requests.length).toBeGreaterThan(0);
    return rows;
  });
  expect(failedMails.filter(({ last_error: lastError }) => found(lastError))).toEqual([]);
  expect(await findTraces(service.database, [word], stored)).toEqual(
    expect.arrayContaining(
      ['collaborators', 'collaborator_history', 'events', 'imports'].map((each) => `public.${each}`),
    ),
  );
  expect(await findTraces(service.database, [digits], stored)).toEqual(
    expect.arrayContaining(['collaborators', 'events'].map((each) => `public.${each}`)),
  );
  expect([...store.objects.values()].some(({ content }) => content.includes(word))).toBe(true);

  // Service and dependencies keep failing during the erasure.
  await service.database.query('analyze');
  const env = { ...settings(folder.path, service.database.url), STORAGE_URL: store.url() };
  const personArgs = ['--company', service.company_id, '--collaborator', id];
  const erased = await runCli(['erase-person', '--json', ...personArgs, '--yes'], env);
  expect({ code: erased.code, found: found(erased.stderr) }).toEqual({ code: 0, found: false });
  await eventually(async () => {
    expect(await findTraces(service.database, [word, digits], stored)).toEqual([]);
  });
  const [row] = await service.database.query<{ errors: string }>(
    "select coalesce(string_agg(last_error, ' '), '') as errors from graphile_worker.jobs",
  );
  expect(found(row!.errors)).toBe(false);
  await service.stop();
  const lines = service.lines();
  for (const msg of ['job failed', 'webhook attempt', 'import was interrupted']) {
    expect(lines).toContainEqual(expect.objectContaining({ msg }));
  }
  expect(lines.filter(({ msg }) => String(msg).startsWith('Failed task'))).toEqual([]); // the library's second line for a failed job
  expect(lines.filter(({ level, err }) => err && level).length).toBeGreaterThan(3);
  expect(logged()).toEqual([]);
});
