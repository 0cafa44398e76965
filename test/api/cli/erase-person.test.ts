/** Erases a person who left traces everywhere, each with a unique word, and searches database and storage for the words. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { eventually } from '../../helpers/eventually.ts';
import { authorizationUrl, createBrowser, newVerifier, signIn } from '../../helpers/identity/oauth.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { addDirectory, enterpriseUrn } from '../../helpers/resources/directories.ts';
import { addDocument, pdf, picture } from '../../helpers/resources/documents.ts';
import { runExport } from '../../helpers/resources/exports.ts';
import { csv, importsPath, requiredHeaders, startImport, withImport } from '../../helpers/resources/imports.ts';
import { filesIn, findTraces } from '../../helpers/traces.ts';
import { testWorker } from '../../helpers/worker.ts';

const password = 'correct horse battery staple';
const redirectUri = 'http://127.0.0.1/callback';

let app: TestApp;
let hooks: Receiver;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let storageFolder: string;
let env: Record<string, string>;

beforeAll(async () => {
  [app, hooks, folder] = await Promise.all([testApp(localWebhooks), receiver(), temporaryFolder()]);
  const { storage } = app.config;
  if (storage.kind !== 'local') throw new Error('the test looks into a folder');
  storageFolder = storage.folder;
  env = { ...settings(folder.path, app.database.url), STORAGE_URL: `file:${storageFolder}` };
});

afterAll(async () => {
  await app.close();
  await hooks.close();
  await folder.remove();
});

const erase = (...args: string[]) => runCli(['erase-person', '--json', ...args], env);

const tracesOf = (...words: string[]) => findTraces(app.database, words, () => filesIn(storageFolder));

/** Puts the word into every field of a person, and everything the service derives from it. */
async function leaveTraces(word: string, digits: string, id: string): Promise<void> {
  const path = `/v1/collaborators/${id}`;
  const texts = (n: number) => ({
    name: `Ana ${word} ${n}`,
    phone: `+55 11 ${digits}${n}`,
    position: `Planner ${word} ${n}`,
    department: `Dep ${word} ${n}`,
    location: `Site ${word} ${n}`,
    work_schedule: `Mon ${word} ${n}`,
    external_id: `sap ${word} ${n}`,
    employee_number: `${word}-${n}`,
    hire_date: '2019-04-05',
    salary: 41_000 + n,
    emergency_contact: { name: `Rui ${word}`, phone: `+55 21 ${digits}${n}`, relationship: `uncle ${word}` },
  });
  for (const n of [1, 2]) {
    await app.admin.patch(path, texts(n)).set('Idempotency-Key', `erase-${word}-${n}`).expect(200);
  }
  await addDocument(app, id, {
    file: Buffer.concat([pdf, Buffer.from(`% ${word}\n`)]),
    filename: `${word}.pdf`,
    description: `About ${word}`,
  });
  const deletedDocument = await addDocument(app, id, { filename: `${word}-gone.pdf` });
  await app.admin.delete(`${path}/documents/${deletedDocument}`).expect(200);
  await app.admin
    .put(`${path}/photo`)
    .attach('file', await picture(), `${word}.png`)
    .expect(200);
  await app.admin.post('/v1/saved-views', { name: `About ${word}`, filters: { search: `Ana ${word} 2` } }).expect(201);
  await app.admin.post('/v1/saved-views', { name: 'Address', filters: { search: `${word}@EXAMPLE.com` } }).expect(201);
  await app.database.query(
    `insert into saved_views (company_id, collaborator_id, id, list, name, filters)
     values ($1, $2, gen_random_uuid(), 'collaborators', $3, '{}')`,
    [app.company_id, id, `Of ${word}`],
  );
  const file = csv([
    requiredHeaders,
    [`Someone with ${word}`, `not an address ${word}`, `x ${word}`, 'y'],
    [`Ben ${word}`, `${word}-import@example.com`, 'Driver', 'Fleet'],
  ]);
  await startImport(app.admin, { file, filename: `${word}.csv`, dry_run: true });
  await runExport(app.admin, 'list', { format: 'csv' });
  await runExport(app.admin, 'individual', { format: 'json', collaborator_id: id });
  await leaveTracesInDirectory(word, id);
}

/** As themselves, as a member of a group, as an error, and as somebody's manager. */
async function leaveTracesInDirectory(word: string, id: string): Promise<void> {
  const directory = await addDirectory(app, { on_local_change: 'allow' });
  const { email } = (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
  const person = {
    userName: `upn.${word}`,
    externalId: `okta ${word}`,
    displayName: `Ana ${word} 2`,
    nickName: `Nick ${word}`,
    emails: [{ value: email, type: 'work' }],
  };
  const { body } = await directory.post('/Users', person).expect(201);
  expect(body.id).toBe(id);
  await directory.post('/Groups', { displayName: 'Planners', members: [{ value: id }] }).expect(201);
  await directory.post('/Users', person).expect(409);
  const manager = { value: person.externalId, displayName: person.displayName };
  await directory.post('/Users', { userName: `${randomUUID()}@example.com`, [enterpriseUrn]: { manager } }).expect(201);
}

test('leaves nothing of a person, and everything keeps working', async () => {
  hooks.respond((response, { body }) => void response.writeHead(200).end(body)); // echoes the body into the delivery log
  const { company_id: companyId, database, base_url: baseUrl } = app;
  const { id: webhookId } = await subscribe(app, hooks.url);
  const post = { position: 'Planner', department: 'Operations', password };
  const person = { name: 'Ana Qxuser', email: 'qxuser@example.com', ...post };
  const { collaborator_id: collaboratorId } = await createPerson(database.db, companyId, {
    ...person,
    manager_id: app.admin.collaborator_id,
  });
  const report = (
    await app.admin
      .post('/v1/collaborators', {
        name: 'Rita Report',
        email: 'rita@example.com',
        position: 'x',
        department: 'y',
        manager_id: collaboratorId,
      })
      .expect(201)
  ).body.id;
  const invited = (
    await app.admin
      .post('/v1/collaborators', {
        name: 'Bo Qxinvited',
        email: 'qxinvited@example.com',
        position: 'x',
        department: 'y',
      })
      .expect(201)
  ).body.id;
  const worker = await testWorker(app);
  await leaveTraces('qxuser', '9777000', collaboratorId);
  await leaveTraces('qxinvited', '9666000', invited);
  await app.admin.post(`/v1/collaborators/${invited}/send-invitation`).expect(200);
  await app.admin.patch(`/v1/collaborators/${invited}`, { email: 'qxinvited-too@example.com' }).expect(200);
  await app.admin.post(`/v1/collaborators/${collaboratorId}/deactivate`, { reason: 'Leaves qxuser' }).expect(200);
  const client = await createClient(database.db, { name: 'Planner', redirect_uris: [redirectUri], public: true });
  const { access_token: accessToken } = await signIn({
    base_url: baseUrl,
    client,
    redirect_uri: redirectUri,
    email: app.admin.user_id && 'mariana.duarte@example.com',
    password,
    scopes: ['profile'],
  });
  expect(accessToken).toBeTruthy();
  await eventually(async () => {
    const [row] = await database.query<{ open: number }>(
      `select (select count(*) from deliveries where status <> 'succeeded')::int
        + (select count(*) from imports where due_at is not null)::int + (select count(*) from events where sequence is null)::int
        + (select count(*) from graphile_worker.jobs)::int as open`,
    );
    expect(row!.open).toBe(0);
  });
  await worker.stop();
  await database.query("update invitations set sent_at = sent_at - interval '1 hour'"); // else it is throttled
  await app.admin.post(`/v1/collaborators/${invited}/resend-invitation`).expect(200);
  const browser = createBrowser(baseUrl);
  const page = await browser.open(`${baseUrl}/oauth/forgot`);
  for (const form of page.forms) await browser.submit(page, form, { email: person.email });

  // Unfinished sign-ins with their emails as login hints, and a response stored for an idempotent retry.
  for (const hint of [person.email, 'QXINVITED-too@example.com', 'somebody@example.com']) {
    const query = {
      base_url: baseUrl,
      client_id: client.id,
      redirect_uri: redirectUri,
      scopes: ['profile'],
      verifier: newVerifier(),
    };
    await fetch(`${authorizationUrl(query)}&${new URLSearchParams({ login_hint: hint })}`, { redirect: 'manual' });
  }
  const interactionQuery = "select 1 from oauth_artifacts where kind = 'Interaction'";
  const interactionsBefore = (await database.query(interactionQuery)).length;
  const storedImports = () =>
    database.query("select 1 from idempotency_keys where headers->>'Location' like '/v1/imports/%'");
  const sent = app.admin.post(importsPath).set('Idempotency-Key', 'a file that is named after somebody');
  const { body: importJob } = await withImport(sent, { filename: 'qxuser.csv', dry_run: true }).expect(202);
  await app.admin.post(`/v1/imports/${importJob.id}/cancel`).expect(200);
  expect(await storedImports()).toHaveLength(1);

  const before = await app.admin.get('/v1/collaborators').expect(200);
  for (const word of ['qxuser', 'qxinvited']) {
    const found = await tracesOf(word);
    const tables = [
      'collaborators',
      'collaborator_history',
      'documents',
      'events',
      'attempts',
      'imports',
      'import_matches',
      'saved_views',
    ];
    expect(found).toEqual(expect.arrayContaining(tables.map((table) => `public.${table}`)));
  }
  const withPhone = "select 1 from collaborators where phone ~ '9777000|9666000'";
  expect(await database.query(withPhone)).toHaveLength(2);

  const mailJobs = async () => {
    const sql =
      "select task_identifier as task from graphile_worker.jobs where task_identifier ~ 'Mail|Reset' order by 1";
    return (await database.query<{ task: string }>(sql)).map(({ task }) => task);
  };
  expect(await mailJobs()).toEqual(['sendMail', 'sendPasswordReset']);
  await database.query('analyze'); // so that planner statistics contain the words too
  expect(await tracesOf('qxuser')).toContain('statistics of users');
  // A dry run reports the same and changes nothing.
  const changes = () => database.query(`select md5(string_agg(c::text, '' order by id)) as state from collaborators c`);
  const untouched = await changes();
  const planned = JSON.parse((await erase('--company', companyId, '--collaborator', invited, '--dry-run')).stdout);
  expect(planned.dry_run).toBe(true);
  expect(await changes()).toEqual(untouched);
  const done = JSON.parse((await erase('--company', companyId, '--collaborator', invited, '--yes')).stdout);
  expect(done).toEqual({ ...planned, dry_run: false });
  expect(done.erased[0]).toMatchObject({ user: 'none', documents: 2, photo: true, imports: 3, exports: 4 });
  for (const kind of ['events', 'deliveries', 'invitations', 'kept_answers', 'history_entries']) {
    expect([kind, done.erased[0][kind]]).toEqual([kind, expect.any(Number)]);
    expect(done.erased[0][kind]).toBeGreaterThan(0);
  }
  const whole = await erase('--user', 'QXUSER@example.com', '--yes');
  expect(whole).toMatchObject({ code: 0 });
  expect(JSON.parse(whole.stdout).erased).toMatchObject([
    { collaborator_id: collaboratorId, user: 'erased', documents: 2 },
  ]);

  expect(await database.query(interactionQuery)).toHaveLength(interactionsBefore - 2);
  expect(await storedImports()).toEqual([]);
  expect(await tracesOf('qxuser', 'qxinvited', '9777000', '9666000')).toEqual([]);
  const kinds = (await readdir(join(storageFolder, companyId), { recursive: true })).filter((name) =>
    /[0-9a-f]{40}$/.test(name),
  );
  expect(kinds).toEqual([]);
  expect(await database.query(`select 1 from users where email ilike '%qxuser%'`)).toEqual([]);
  expect(await mailJobs()).toEqual([]);

  // Lists, totals, exports, and synchronizations.
  const after = await app.admin.get('/v1/collaborators').expect(200);
  expect(after.body.meta.total).toBe(before.body.meta.total - 2);
  const [counted] = await database.query(
    `select sum(active + inactive + pending)::int as kept, (select count(*)::int from collaborators
       where company_id = $1 and deleted_at is null) as there from collaborator_counts where company_id = $1`,
    [companyId],
  );
  expect(counted!.kept).toBe(counted!.there);
  const synced = await app.admin
    .get('/v1/collaborators?updated_since=2020-01-01T00:00:00Z&include_deleted=true')
    .expect(200);
  for (const id of [collaboratorId, invited]) {
    expect(synced.body.data).toContainEqual({ id, deleted_at: expect.any(String) });
    await app.admin.get(`/v1/collaborators/${id}`).expect(404);
    await app.admin.post(`/v1/collaborators/${id}/restore`).expect(404);
  }
  expect((await runExport(app.admin, 'list', { format: 'csv' })).toString()).not.toContain('Erased');
  const moved = await app.admin.get(`/v1/collaborators/${report}`).expect(200);
  expect(moved.body.manager_id).toBe(app.admin.collaborator_id);

  // The history still records who changed what and when.
  const entries = await database.query<{ action: string; changes: Record<string, unknown>[]; user_id: string | null }>(
    'select action, changes, user_id from collaborator_history where collaborator_id = $1 order by id',
    [collaboratorId],
  );
  expect(entries.at(-1)).toEqual({ action: 'erased', changes: [], user_id: null });
  const update = entries.find(({ action, changes }) => action === 'updated' && changes.length > 5)!;
  expect(update.user_id).toBe(app.admin.user_id);
  expect(update.changes).toContainEqual({ field: 'salary', from: null, to: null });

  // Subscribers get an event without a name, the email is free again, and a second erasure finds nothing.
  const second = await testWorker(app);
  await eventually(() => {
    const received = hooks.requests.map(({ body }) => JSON.parse(body.toString()));
    const deletions = received.filter(({ event }) => event === 'collaborator.deleted').map(({ data }) => data.data);
    expect(deletions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          collaborator_id: collaboratorId,
          name: 'Erased',
          email: `erased-${collaboratorId}@erased.invalid`,
        }),
      ]),
    );
  });
  await second.stop();
  await app.admin.get(`/v1/webhooks/${webhookId}/deliveries`).expect(200);
  await app.admin.get('/v1/events').expect(200);
  await app.admin.post('/v1/collaborators', { ...person, password: undefined }).expect(201);
  const repeated = JSON.parse((await erase('--company', companyId, '--collaborator', collaboratorId, '--yes')).stdout);
  expect(repeated.erased[0]).toMatchObject({ user: 'none', documents: 0, photo: false, invitations: 0 });
});

test('keeps an account that another company uses', async () => {
  const { db } = app.database;
  const personInBoth = { name: 'Lia Both', email: 'both@example.com', position: 'x', department: 'y', password };
  const here = await createPerson(db, app.company_id, personInBoth);
  const there = await createPerson(db, app.outsider.company_id, personInBoth);
  const first = await erase('--company', app.company_id, '--email', 'both@example.com', '--yes');
  expect(JSON.parse(first.stdout).erased).toMatchObject([{ collaborator_id: here.collaborator_id, user: 'kept' }]);
  await app.outsider.get(`/v1/collaborators/${there.collaborator_id}`).expect(200);
  const last = await erase('--user', 'both@example.com', '--yes');
  expect(JSON.parse(last.stdout).erased).toMatchObject([{ collaborator_id: there.collaborator_id, user: 'erased' }]);
  expect(await tracesOf('both@example.com')).toEqual([]);
});

describe('rejects without changes', () => {
  test('erasing the last admin', async () => {
    const ended = await erase('--user', 'mariana.duarte@example.com', '--yes');
    expect(ended.code).toBe(1);
    expect(ended.stderr).toBe('error: A company needs at least one active admin, and this is the last one.\n');
    await app.admin.get(`/v1/collaborators/${app.admin.collaborator_id}`).expect(200);
  });

  test('without confirmation if nobody can be asked', async () => {
    const ended = await erase('--user', 'tomas.rocha@example.com');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^error: this can't be undone: check it with --dry-run, then add --yes\n$/);
    await app.admin.get(`/v1/collaborators/${app.employee.collaborator_id}`).expect(200);
  });

  test.each([
    [['--user', 'nobody@example.com'], 1, /no one has the email address nobody@example\.com/],
    [['--email', 'a@example.com'], 2, /select the person: --company with --collaborator or --email, or --user/],
    [['--company', 'x', '--email', 'a@example.com'], 1, /there is no company with the ID x/],
  ])('%j', async (args, code, message) => {
    const ended = await erase(...args, '--yes');
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(message);
  });

  test('while an import runs, which might add the person again', async () => {
    const id = await startImport(app.admin, {});
    const ended = await erase('--user', 'tomas.rocha@example.com', '--yes');
    expect(ended.stderr).toBe(`error: import ${id} of this company has not ended: wait for it, or cancel it\n`);
    await app.admin.get(`/v1/collaborators/${app.employee.collaborator_id}`).expect(200);
  });
});
