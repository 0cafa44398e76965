import { createServer } from 'node:net';
import { verifyPassword } from '../../../src/identity/passwords/passwords.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

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

const cli = (args: string[], input = '') => runCli(args, env, { input });

const password = ['--admin-password', 'quiet rivers bend slowly'];

function create(email: string, more = password, name = 'Verde Logística') {
  const admin = ['--admin-email', email, '--admin-name', 'Mariana Duarte'];
  return ['company', 'create', '--name', name, ...admin, ...more];
}

test('creates a company whose admin can sign in, and lists it', async () => {
  expect(await cli(['company', 'list'])).toMatchObject({ code: 0, stdout: 'There are no companies.\n', stderr: '' });

  const created = await cli(
    create('mariana@verde.example', ['--admin-password-stdin', '--json']),
    'käse und brot am abend\n',
  );
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const { company, admin } = JSON.parse(created.stdout);
  expect(company).toEqual({
    id: expect.any(String),
    name: 'Verde Logística',
    time_zone: 'UTC',
    created_at: expect.any(String),
  });
  const ids = { user_id: expect.any(String), collaborator_id: expect.any(String) };
  expect(admin).toEqual({ ...ids, email: 'mariana@verde.example', existing_user: false });

  const [row] = await database.query<Record<string, string>>(
    `select c.role, c.status, c.position, c.department, u.name, u.password_hash
     from collaborators c join users u on u.id = c.user_id where c.id = $1 and c.company_id = $2`,
    [admin.collaborator_id, company.id],
  );
  const { password_hash: passwordHash, ...fields } = row!;
  const post = { position: 'Administrator', department: 'Management' };
  expect(fields).toEqual({ role: 'admin', status: 'active', name: 'Mariana Duarte', ...post });
  expect(await verifyPassword(passwordHash, 'käse und brot am abend')).toBe(true);

  const listed = await cli(['company', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toEqual({ data: [company] });
  const text = await cli(['company', 'list']);
  expect(text.stdout).toMatch(
    new RegExp(`^ID +NAME +TIME ZONE +CREATED\n${company.id} +Verde Logística +UTC +${company.created_at}\n$`),
  );
});

test('shows and sets quotas', async () => {
  const created = await cli(create('quota@verde.example', undefined, 'Azul'));
  const id = /Id +(\S+)/.exec(created.stdout)![1]!;
  const people = async () => {
    const { stdout } = await cli(['company', 'quotas', id, '--json']);
    return JSON.parse(stdout).data.find(({ quota }: { quota: string }) => quota === 'people');
  };
  expect(await people()).toEqual({ quota: 'people', used: 1, limit: 2_000_000, is_default: true });
  expect(await cli(['company', 'set-quota', id, 'people', '500'])).toMatchObject({
    code: 0,
    stdout: `people of company ${id} is now 500.\n`,
  });
  expect(await people()).toEqual({ quota: 'people', used: 1, limit: 500, is_default: false });
  expect((await cli(['company', 'quotas', id])).stdout).toMatch(/^people +1 +500 +collaborators$/m);
  await cli(['company', 'set-quota', id, 'people', 'default']);
  expect(await people()).toMatchObject({ limit: 2_000_000, is_default: true });
  for (const [code, ...values] of [
    [2, id, 'mails', '5'],
    [2, id, 'people', '-5'],
    [2, id, 'people', 'many'],
    [1, 'nobody', 'people', '5'],
  ] as const) {
    expect(await cli(['company', 'set-quota', ...values])).toMatchObject({ code, stdout: '' });
  }
});

test('an admin with an existing account keeps its name and password', async () => {
  await cli(create('rui@verde.example', ['--admin-password', 'what he chose first']));
  const second = await cli(create('RUI@verde.example', [], 'Nordwind Spedition'));
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toContain('its name and password stay');
  const users = await database.query<{ password_hash: string }>(
    `select password_hash from users where lower(email) = 'rui@verde.example'`,
  );
  expect(users).toHaveLength(1);
  expect(await verifyPassword(users[0]!.password_hash, 'what he chose first')).toBe(true);
});

test('rejects invalid fields in one line that names the options, and writes nothing', async () => {
  const before = (await cli(['company', 'list', '--json'])).stdout;
  const nameOf201 = 'x'.repeat(201);
  const options = [
    '--name',
    nameOf201,
    '--admin-email',
    'nobody',
    '--admin-name',
    'M',
    '--admin-password',
    'long enough',
  ];
  const { code, stdout, stderr } = await cli(['company', 'create', ...options]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]*\n$/);
  expect(stderr).toContain('--name: Must have at most 200 characters.');
  expect(stderr).toContain('--admin-email: Must be a valid email address, such as ana@company.example.');
  expect(stderr).toContain('--admin-name: Must have at least 2 characters.');
  expect((await cli(['company', 'list', '--json'])).stdout).toBe(before);
});

test('rejects a weak password, and doesn’t prompt without a terminal', async () => {
  const refused = (password: string) => cli(create('short@verde.example', ['--admin-password', password]));
  const [short, personal, none] = await Promise.all([
    refused('fourteen chars'),
    refused('Mariana Duarte Verde'),
    cli(create('none@verde.example', [])),
  ]);
  const rule = 'error: Your password needs at least 15 characters; this one has 14.\n';
  expect(short).toMatchObject({ code: 1, stdout: '', stderr: rule });
  expect(personal).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: This password is mostly your name/),
  });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('use --admin-password-stdin') });
});

test('renames a company', async () => {
  const { company } = JSON.parse((await cli(create('ines@verde.example', [...password, '--json']))).stdout);
  const renamed = await cli(['company', 'rename', company.id, '--name', ' Verde Transportes\u200b ']);
  expect(renamed).toMatchObject({ code: 0, stdout: `Company ${company.id} is now called Verde Transportes.\n` });
  const repeated = await cli(['company', 'rename', company.id, '--name', 'Verde', '--json']);
  expect(JSON.parse(repeated.stdout)).toEqual({ company: { ...company, name: 'Verde' } });

  const missingId = '01994f7e-0b2c-7a65-9e18-c4d7205b8f13';
  const [unknown, noId, noName] = await Promise.all([
    cli(['company', 'rename', missingId, '--name', 'X']),
    cli(['company', 'rename', 'verde', '--name', 'X']),
    cli(['company', 'rename', company.id, '--name', ' ']),
  ]);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: `error: there is no company with the ID ${missingId}; see \`company list\`\n`,
  });
  expect(noId).toMatchObject({ code: 1, stderr: expect.stringContaining('no company with the ID verde') });
  expect(noName).toMatchObject({
    code: 2,
    stderr: 'error: --name: Must not be blank: write something other than spaces.\n',
  });
});

test('reports an unreachable or rejecting database in one line', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  const list = (DATABASE_URL: string) => runCli(['company', 'list'], { ...env, DATABASE_URL });
  const wrongPassword = new URL(database.url);
  wrongPassword.password = 'wrong';
  const [unreachable, refused, noUrl] = await Promise.all([
    list(`postgres://a:b@127.0.0.1:${port}/c`),
    list(wrongPassword.href),
    list('mysql://a'),
  ]);
  expect(unreachable.stderr).toMatch(/^error: the database can't be reached: .*\n$/);
  expect(refused.stderr).toMatch(/^error: the database refused the connection: .*\n$/);
  expect(noUrl.stderr).toMatch(/^error: invalid configuration: DATABASE_URL must start with .*\n$/);
  expect([unreachable, refused, noUrl].map(({ code }) => code)).toEqual([1, 1, 1]);
});
