import { readFile } from 'node:fs/promises';
import { runCli } from '../../helpers/cli.ts';

const commands = [
  'company create',
  'company list',
  'company rename',
  'company set-time-zone',
  'user list',
  'user create',
  'user reset-password',
  'user revoke',
  'user remove-factors',
  'user unlink',
  'client create',
  'client list',
  'client rotate-secret',
  'client revoke',
  'directory list',
  'directory delete',
  'sign-in-connection list',
  'sign-in-connection show',
  'sign-in-connection disable',
  'key list',
  'key rotate',
  'key retire',
  'job list',
  'job restart',
  'secrets status',
  'secrets rotate',
  'database migrate',
  'settings',
  'login',
  'whoami',
  'use',
  'token',
  'logout',
  'import',
  'export',
  'download',
  'api',
  'listen',
  'audit list',
];

/** Nothing listens there. */
const nowhere = 'postgres://somebody@127.0.0.1:1/nothing';

const cli = (...args: string[]) => runCli(args, {});

test('every command has a one-sentence description and an example', async () => {
  const helps = await Promise.all(commands.map((command) => cli(...command.split(' '), '--help')));
  for (const [i, { code, stdout, stderr }] of helps.entries()) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm run cli -- ${commands[i]}`));
    expect(stdout).toMatch(/\n\n[A-Z][^.]+\.\n\n(Arguments:\n(.+\n)+\n)?Options:/);
    expect(stdout).toMatch(/Examples?:\n {2}.*npm run (-s )?cli -- /);
    expect(stdout).toContain('--json');
  }
});

test('the overview lists all commands and exit codes', async () => {
  const { code, stdout } = await cli('--help');
  expect(code).toBe(0);
  for (const name of [
    'company',
    'user',
    'client',
    'key',
    'login',
    'token',
    'logout',
    'import',
    'export',
    'api',
    'listen',
  ])
    expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  expect(stdout).toContain('Exit codes: 0 success, 1 failure');
  for (const group of ['Signing in', 'People and files', 'Requests and events', 'Operators, the service'])
    expect(stdout).toContain(`\n\n${group}:\n  `);
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(await cli('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect((await cli('help', 'export')).stdout).toBe((await cli('export', '--help')).stdout);
});

test.each([
  ['no command', [], /Usage: /],
  ['a group without its command', ['company'], /Usage: npm run cli -- company/],
  ['an unknown command', ['companies'], /^error: unknown command 'companies'/],
  ['an unknown option', ['company', 'list', '--all'], /^error: unknown option '--all'/],
  ['a missing option', ['company', 'create', '--name', 'X'], /^error: required option '--admin-email/],
  ['a missing argument', ['client', 'revoke'], /^error: missing required argument 'id'/],
  ['too many arguments', ['client', 'revoke', 'a', 'b'], /^error: too many arguments/],
  [
    'a role that is none',
    ['user', 'create', '--role', 'boss'],
    /'boss' is invalid. Allowed choices are admin, manager/,
  ],
  ['a value that is none', ['login', '--timeout-s', 'soon'], /'soon' is invalid. Must be a whole number/],
  ['an import of nothing', ['import'], /^error: pass either a file, or a dry run with --commit/],
  ['an import of a file and a dry run', ['import', 'a.csv', '--commit', 'x'], /^error: pass either a file/],
  ['a dry run with options for a file', ['import', '--commit', 'x', '--mode', 'upsert'], /cannot be used with option/],
  ['a column that leads nowhere', ['import', 'a.csv', '--map', 'Start'], /'Start' is invalid. Must be HEADER=FIELD/],
  ['a mode that is none', ['import', 'a.csv', '--mode', 'merge'], /Allowed choices are create, upsert/],
  [
    'groups that are no sheets',
    ['export', '--group-by', 'role', '--format', 'csv'],
    /^error: --group-by requires the format xlsx/,
  ],
  ['a file of another format', ['export', '-o', 'x.pdf'], /^error: exports can't be \.pdf: use .*--format\n$/],
  ['a path that is an address', ['api', 'https://evil.example/v1'], /^error: .* is not a path/],
  ['nothing to do with events', ['listen'], /^error: pass --forward-to with a URL, or --print/],
  ['a receiver that is no address', ['listen', '--forward-to', 'localhost:4000'], /^error: not an HTTP URL/],
  ['a time that is none', ['listen', '--print', '--since', 'noon'], /^error: noon is not a time/],
  ['a document of nobody', ['download', 'document', 'x'], /^error: --collaborator is required for documents/],
  ['an export without an id', ['download', 'export'], /^error: which export\? Pass its ID/],
  ['one of many', ['export', '--collaborator', 'x', '--department', 'Fleet'], /cannot be used with option/],
  ['a quota that is none', ['company', 'set-quota', 'x', 'peple', '5'], /^error: unknown quota peple; available: /],
  ['a limit that is none', ['company', 'set-quota', 'x', 'people', 'many'], /^error: many is not a limit/],
  ['a time zone that is none', ['company', 'set-time-zone', 'x', 'Lisbon'], /^error: Lisbon is not an IANA time zone/],
  ['a job that is no number', ['job', 'restart', 'all'], /^error: all is not a job ID/],
  ['lost factors of somebody unverified', ['user', 'remove-factors', 'x'], /^error: first verify .* --verified/],
  ['an address that is none', ['token', '--base-url', 'ftp://a.example'], /^error: not an HTTP URL/],
])('%s is a usage error: exit code 2, message on stderr', async (_name, args, message) => {
  const { code, stdout, stderr } = await cli(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('a database command rejects the settings that the service would reject, before doing anything', async () => {
  const env = { NODE_ENV: 'production', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), DATABASE_URL: nowhere };
  for (const command of [
    'company list',
    'database distribute --dry-run',
    'database migrate',
    'secrets status',
    'job list',
  ]) {
    const { code, stdout, stderr } = await runCli(command.split(' '), env);
    expect([command, code, stdout, stderr]).toEqual([
      command,
      1,
      '',
      expect.stringMatching(/^error: invalid configuration.*\n- ENCRYPTION_KEY: /),
    ]);
  }
});
