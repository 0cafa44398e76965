import { secretHash } from '../../../src/platform/secrets/secrets.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { addApp } from '../../helpers/resources/apps.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), temporaryFolder()]);
  env = settings(folder.path, database.url);
});

afterAll(async () => {
  await folder.remove();
  await database.drop();
});

const cli = (...args: string[]) => runCli(['client', ...args], env);

test('registers clients, shows a secret once, lists, and revokes them', async () => {
  expect(await cli('list')).toMatchObject({ code: 0, stdout: 'There are no clients.\n' });

  const uris = ['https://payroll.example/callback', 'http://127.0.0.1/callback'];
  const options = uris.flatMap((uri) => ['--redirect-uri', uri]);
  const created = await cli('create', '--name', 'Payroll', ...options, '--json');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const payroll = JSON.parse(created.stdout);
  const { id, secret, ...visible } = payroll;
  expect(visible).toEqual({ name: 'Payroll', redirect_uris: uris, public: false });
  const [row] = await database.query<{ secret_hash: Buffer }>('select secret_hash from oauth_clients where id = $1', [
    id,
  ]);
  expect(row!.secret_hash).toEqual(secretHash(secret));

  const app = await cli('create', '--public', '--name', 'App', '--redirect-uri', 'com.example.app:/back');
  expect(app).toMatchObject({ code: 0, stderr: '' });
  expect(app.stdout).toMatch(/^Client {3}App\nId {7}\S+\nSecret {3}none\n$/);

  expect(await cli('revoke', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('are revoked') });
  const repeated = await cli('revoke', id);
  expect(repeated).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`no active client with the ID ${id}`),
  });

  const listed = await cli('list', '--json');
  expect(listed.stdout).not.toContain(secret);
  const { data } = JSON.parse(listed.stdout);
  const times = { created_at: expect.any(String), revoked_at: expect.any(String) };
  expect(data).toEqual([
    { id, ...visible, ...times, company_id: null, visibility: 'company', approved_at: null },
    expect.objectContaining({ name: 'App', public: true, revoked_at: null }),
  ]);
  expect((await cli('list')).stdout).toMatch(
    /Payroll +confidential +operator +everyone +revoked .*\n.*App +public +operator +everyone +active +com\.example\.app/,
  );
});

test('rotates a client’s secret, unless it has none', async () => {
  const create = ['create', '--redirect-uri', 'https://payroll.example/callback', '--json', '--name'];
  const { id } = JSON.parse((await cli(...create, 'Time clock')).stdout);
  const { code, stdout } = await cli('rotate-secret', id, '--json');
  const { secret, ...others } = JSON.parse(stdout);
  expect({ code, others }).toEqual({ code: 0, others: { id } });
  const stored = 'select secret_hash from oauth_clients where id = $1';
  expect(await database.query(stored, [id])).toEqual([{ secret_hash: secretHash(secret) }]);
  expect((await cli('rotate-secret', id)).stdout).toMatch(
    /^Secret {3}cma_cs_[0-9A-Za-z]{49} \(store it now: it is not shown again\)\n/,
  );

  const native = JSON.parse((await cli(...create, 'App', '--public')).stdout);
  await cli('revoke', id);
  for (const each of [native.id, id, 'nobody']) {
    const refused = await cli('rotate-secret', each);
    const stderr = `error: there is no active, confidential client with the ID ${each}; see \`client list\`\n`;
    expect(refused).toEqual({ code: 1, stdout: '', stderr });
  }
  const still = await database.query<{ secret_hash: Buffer | null }>(stored, [native.id]);
  expect(still).toEqual([{ secret_hash: null }]);
});

test('approves an app for everyone, which its company’s audit log records', async () => {
  const { company } = await createCompany(database.db, 'Verde Logística', {
    ...{ name: 'Mariana Duarte', email: 'mariana@example.com', position: 'Planner', department: 'Ops' },
    password: 'correct horse battery staple',
  });
  const where = { database, company_id: company.id };
  const [requestingApp, ordinaryApp] = [await addApp(where, { visibility: 'everyone' }), await addApp(where)];
  expect((await cli('list')).stdout).toMatch(/its company, asks for everyone[\s\S]* its company +active/);
  expect(await cli('approve', requestingApp)).toMatchObject({ code: 0, stderr: '' });
  const [row] = await database.query('select approved_at from oauth_clients where id = $1', [requestingApp]);
  expect(row!.approved_at).not.toBeNull();
  const entries = await database.query(
    "select company_id, actor_type, target_id from audit_log where action = 'app.approved'",
  );
  expect(entries).toEqual([{ company_id: company.id, actor_type: 'operator', target_id: requestingApp }]);
  const withdrawn = await cli('approve', requestingApp, '--withdraw', '--json');
  expect([withdrawn.code, JSON.parse(withdrawn.stdout)]).toEqual([0, { id: requestingApp, approved: false, ended: 0 }]);
  expect((await cli('approve', requestingApp, '--withdraw')).stderr).toContain(
    `no approved app with the ID ${requestingApp}`,
  );
  for (const id of [ordinaryApp, 'nobody']) {
    expect(await cli('approve', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`no app with the ID ${id}`),
    });
  }
});

test('rejects redirect URIs that would leak codes', async () => {
  const { code, stdout, stderr } = await cli(
    'create',
    '--name',
    'X',
    '--redirect-uri',
    'http://payroll.example/callback',
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^error: a redirect URI must use https, [^\n]*\n$/);
});

test('rejects invalid host names, and normalizes redirect URIs', async () => {
  for (const uri of ['https://*.payroll.example/cb', "https://b.example';/x", 'https://a..b/', 'https://xn--/']) {
    const { code, stdout, stderr } = await cli('create', '--name', 'X', '--redirect-uri', uri);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: the host must be a DNS name [^\n]*\n$/);
  }
  const created = await cli('create', '--name', 'X', '--redirect-uri', 'https://Payroll.example:443', '--json');
  expect(JSON.parse(created.stdout).redirect_uris).toEqual(['https://payroll.example/']);
});
