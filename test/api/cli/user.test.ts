import { verifyPassword } from '../../../src/identity/passwords/passwords.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Company, createCompany } from '../../../src/product/companies/companies.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { addSignInConnection } from '../../helpers/resources/sign-in-connections.ts';

const password = 'quiet rivers bend slowly';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let verde: Company;
let nordwind: Company;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), temporaryFolder()]);
  env = settings(folder.path, database.url);
});

afterAll(async () => {
  await folder.remove();
  await database.drop();
});

const cli = (args: string[], input = '') => runCli(['user', ...args], env, { input });

function create(companyId: string, email: string, more: string[] = []): string[] {
  const rui = ['--name', 'Rui Almeida', '--position', 'Field Manager', '--department', 'Operations'];
  return ['create', '--company', companyId, '--email', email, ...rui, ...more];
}

test('adds a user who can sign in, and lists users with their roles by company', async () => {
  expect(await cli(['list'])).toMatchObject({ code: 0, stdout: 'There are no users.\n', stderr: '' });

  const post = { position: 'Director', department: 'Management', password };
  const mariana = { name: 'Mariana Duarte', email: 'mariana@verde.example', ...post };
  const jonas = { name: 'Jonas Petersen', email: 'jonas@nordwind.example', ...post };
  ({ company: verde } = await createCompany(database.db, 'Verde Logística', mariana));
  ({ company: nordwind } = await createCompany(database.db, 'Nordwind Spedition', jonas));

  const created = await cli(
    create(verde.id, 'rui@verde.example', ['--role', 'manager', '--password-stdin', '--json']),
    password,
  );
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const { company, user } = JSON.parse(created.stdout);
  expect(company).toEqual(verde);
  const ids = { user_id: expect.any(String), collaborator_id: expect.any(String) };
  expect(user).toEqual({ ...ids, email: 'rui@verde.example', role: 'manager', existing_user: false });
  const [row] = await database.query<Record<string, string>>(
    `select c.status, c.role, c.position, u.password_hash, m.collaborator_id
     from collaborators c join users u on u.id = c.user_id
     join memberships m on m.user_id = u.id and m.company_id = c.company_id where c.id = $1`,
    [user.collaborator_id],
  );
  const { password_hash: passwordHash, ...fields } = row!;
  const { collaborator_id: collaboratorId } = user;
  expect(fields).toEqual({
    status: 'active',
    role: 'manager',
    position: 'Field Manager',
    collaborator_id: collaboratorId,
  });
  expect(await verifyPassword(passwordHash, password)).toBe(true);

  // Existing accounts need no password.
  const second = await cli(create(nordwind.id, 'RUI@verde.example'));
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toMatch(
    /its name and password stay\)\nId {7}\S+\nCompany {2}Nordwind Spedition, as employee\n$/,
  );

  const all = JSON.parse((await cli(['list', '--json'])).stdout).data;
  expect(all.map(({ email }: { email: string }) => email)).toEqual([mariana.email, jonas.email, 'rui@verde.example']);
  expect(all[2]).toEqual({
    id: user.user_id,
    email: 'rui@verde.example',
    name: 'Rui Almeida',
    created_at: expect.any(String),
    companies: [
      { id: verde.id, name: verde.name, collaborator_id: collaboratorId, role: 'manager', status: 'active' },
      { id: nordwind.id, name: nordwind.name, collaborator_id: expect.any(String), role: 'employee', status: 'active' },
    ],
  });
  const ofNordwind = (await cli(['list', '--company', nordwind.id])).stdout;
  expect(ofNordwind).toMatch(
    /^ID +EMAIL +NAME +COMPANIES\n.* jonas@.*\(admin, active\)\n.* rui@.* Nordwind Spedition \(employee, active\)\n$/,
  );
});

test('a person who left a company can be added again', async () => {
  const query = `update collaborators set deleted_at = now() where company_id = $1 and lower(email) = 'rui@verde.example'`;
  await database.query(query, [nordwind.id]);
  const listed = await cli(['list', '--company', nordwind.id, '--json']);
  expect(JSON.parse(listed.stdout).data).toMatchObject([{ email: 'jonas@nordwind.example' }]);
  expect(await cli(create(nordwind.id, 'rui@verde.example'))).toMatchObject({ code: 0, stderr: '' });
});

test('rejects invalid fields, an email in use, a weak password, and an unknown company in one line each', async () => {
  const missingId = '01994f7e-0b2c-7a65-9e18-c4d7205b8f13';
  const bad = [
    'create',
    '--company',
    verde.id,
    '--email',
    'nobody',
    '--name',
    'R',
    '--position',
    'X',
    '--department',
    '',
  ];
  const [fields, taken, short, unknown, listed, noTerminal] = await Promise.all([
    cli(bad),
    cli(create(verde.id, 'mariana@VERDE.example')),
    cli(create(verde.id, 'new@verde.example', ['--password-stdin']), 'too short\n'),
    cli(create(missingId, 'new@verde.example')),
    cli(['list', '--company', 'verde']),
    cli(create(verde.id, 'new@verde.example')),
  ]);
  for (const { stdout, stderr } of [fields, taken, short, unknown, listed, noTerminal]) {
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: [^\n]*\n$/);
  }
  expect([fields, taken, short, unknown, listed, noTerminal].map(({ code }) => code)).toEqual([2, 1, 1, 1, 1, 2]);
  expect(fields.stderr).toContain('--email: Must be a valid email address, such as ana@company.example.');
  expect(fields.stderr).toContain('--name: Must have at least 2 characters.');
  expect(taken.stderr).toBe('error: --email: Another collaborator already uses this address.\n');
  expect(short.stderr).toContain('Your password needs at least 15 characters; this one has 9.');
  expect(unknown.stderr).toBe(`error: there is no company with the ID ${missingId}; see \`company list\`\n`);
  expect(listed.stderr).toContain('there is no company with the ID verde');
  expect(noTerminal.stderr).toContain('use --password-stdin');
  expect(JSON.parse((await cli(['list', '--json'])).stdout).data).toHaveLength(3);
});

test('rejects commands for an unknown account, and a weak password', async () => {
  const stderr = 'error: there is no user nobody@verde.example; see `user list`\n';
  const [reset, revoked, weak] = await Promise.all([
    cli(['reset-password', 'nobody@verde.example', '--password-stdin'], password),
    cli(['revoke', 'nobody@verde.example']),
    cli(['reset-password', 'mariana@verde.example', '--password-stdin'], 'Mariana Duarte 12'),
  ]);
  expect(reset).toEqual({ code: 1, stdout: '', stderr });
  expect(revoked).toEqual({ code: 1, stdout: '', stderr });
  expect(weak).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('mostly your name') });
});

test('normalizes names and emails, and matches equivalent ones', async () => {
  const created = await cli(create(verde.id, '\u202ajose@münchen.example\u202c', ['--password-stdin']), password);
  expect(created.code).toBe(0);
  const [row] = await database.query<{ email: string }>("select email from users where email like 'jose@%'");
  expect(row).toEqual({ email: 'jose@xn--mnchen-3ya.example' });
  const found = await cli(['revoke', ' jose@MÜNCHEN.example\u200b']);
  expect(found).toMatchObject({ code: 0, stderr: '' });
});

test('escapes control characters in stored names for the terminal', async () => {
  await database.query("update users set name = $1 where email like 'jose@%'", [
    'Jose\u001b]0;owned\u0007\u001b[2K\u009b31m',
  ]);
  const { code, stdout } = await cli(['list']);
  expect(code).toBe(0);
  expect(stdout).toContain('Jose\\u001b]0;owned\\u0007\\u001b[2K\\u009b31m');
  expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  expect((await cli(['list', '--json'])).stdout).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('finds a user of an identity provider by id, who has no address to sign in with', async () => {
  const [user] = await database.query<{ id: string }>(
    `insert into users (id, email, name, password_hash, only_company_id)
     values (gen_random_uuid(), 'ines@verde.example', 'Inês', 'x', $1) returning id`,
    [verde.id],
  );
  const { id } = user!;
  await database.query(
    `insert into totp_factors (id, user_id, name, secret_encrypted, last_step)
     values (gen_random_uuid(), $1, 'Phone', '\\x00', 0)`,
    [id],
  );
  const removed = await cli(['remove-factors', id, '--verified']);
  expect(removed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('ines@verde.example') });
  expect(await database.query('select 1 from totp_factors where user_id = $1', [id])).toEqual([]);
  expect(await cli(['revoke', id])).toMatchObject({ code: 0, stderr: '' });
  const unlinked = await cli(['unlink', id]);
  expect(unlinked).toMatchObject({ code: 1, stderr: expect.stringContaining('no identity provider signs in') });
  const connection = await addSignInConnection({ database, company_id: verde.id, config: readConfig(env) });
  const [person] = await database.query<{ id: string }>(
    "select id from collaborators where company_id = $1 and role = 'employee' limit 1",
    [verde.id],
  );
  await database.query(
    `insert into sign_in_links (connection_id, subject, company_id, collaborator_id, user_id) values ($1, 'x', $2, $3, $4)`,
    [connection, verde.id, person!.id, id],
  );
  const done = await cli(['unlink', id]);
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('needs an invitation') });
  expect(await database.query('select 1 from sign_in_links')).toEqual([]);
  const unknown = await cli(['remove-factors', 'ines@verde.example', '--verified']);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('see `user list`') });
});
