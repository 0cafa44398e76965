/**
 * Every command with its options and its help, and the file that does its work. Those files are loaded when they are
 * needed: `token` stands in other people's command lines and must be quick.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Environment } from '../development.ts';
import type { ClientOptions } from './client.ts';
import type { CompanyOptions } from './company.ts';
import type { ExportOptions } from './export.ts';
import type { ImportOptions } from './import.ts';
import type { LoginOptions } from './login.ts';
import type { LogoutOptions } from './logout.ts';
import type { UserOptions } from './user.ts';

const json = ['--json', 'print JSON for programs'] as const;
const base_url = [
  '--base-url <url>',
  'address of the service; default: $BASE_URL, or what runs in this checkout',
] as const;
const company = ['--company <id>', 'the company; needed by who is in several'] as const;
const force = ['--force', 'replace a file that is there already'] as const;

const password_stdin = ['--password-stdin', 'read the password from standard input; asked for when left out'] as const;

/** @param environment the variables of the process */
export function createProgram(environment: Environment): Command {
  const program = new Command('npm run cli --')
    .description(
      'Sets up companies, users, clients and keys of the collaborator API, signs in to it, imports and exports.',
    )
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Commands for companies, users, clients and keys work on the database: DATABASE_URL, or the embedded one in DATA_DIR.
What they change counts at once, in every running process.
Imports and exports go through the API of any service, here or elsewhere, with the sign-in of \`login\`.
Exit codes: 0 done, 1 it failed (one line on stderr says why), 2 wrong usage, 130 interrupted.`,
    );
  companyCommands(program, environment);
  userCommands(program, environment);
  clientCommands(program, environment);
  keyCommands(program, environment);
  sessionCommands(program, environment);
  sheetCommands(program, environment);
  return program;
}

function companyCommands(program: Command, environment: Environment): void {
  const company = program
    .command('company')
    .description('Makes, lists and renames companies.')
    .addHelpText('after', example('company list'));
  company
    .command('create')
    .description('Makes a company and its first admin, who can sign in at once.')
    .requiredOption('--name <name>', 'name of the company')
    .requiredOption('--admin-email <address>', 'address the admin signs in with')
    .requiredOption('--admin-name <name>', 'full name of the admin')
    .option('--admin-password <password>', 'visible to other users of this machine; asked for when left out')
    .option('--admin-password-stdin', 'read the password from standard input')
    .option('--admin-position <title>', 'job title of the admin', 'Administrator')
    .option('--admin-department <name>', 'department of the admin', 'Management')
    .option(...json)
    .addHelpText(
      'after',
      example(
        'company create --name "Verde Logística" --admin-email mariana@verde.example --admin-name "Mariana Duarte"',
      ),
    )
    .action(async (options: CompanyOptions) => (await import('./company.ts')).create(environment, options));
  company
    .command('list')
    .description('Lists all companies, oldest first.')
    .option(...json)
    .addHelpText('after', example('company list --json'))
    .action(async (options) => (await import('./company.ts')).list(environment, options));
  company
    .command('rename <id>')
    .description('Gives a company another name, which pages and mails show from then on.')
    .requiredOption('--name <name>', 'the new name')
    .option(...json)
    .addHelpText('after', example('company rename 01994f7e-0b2c-7a65-9e18-c4d7205b8f13 --name "Verde Transportes"'))
    .action(async (id: string, options) => (await import('./company.ts')).rename(environment, id, options));
}

function userCommands(program: Command, environment: Environment): void {
  const user = program
    .command('user')
    .description('Lists and adds users, who can sign in, and ends their access.')
    .addHelpText('after', example('user list'));
  user
    .command('list')
    .description('Lists who has an account, oldest first, with role and status in each company.')
    .option('--company <id>', 'only who is in this company')
    .option(...json)
    .addHelpText('after', example('user list --company 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (options) => (await import('./user.ts')).list(environment, options));
  user
    .command('create')
    .description('Adds someone to a company who can sign in at once, without an invitation.')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <address>', 'address they sign in with')
    .requiredOption('--name <name>', 'full name')
    .requiredOption('--position <title>', 'job title')
    .requiredOption('--department <name>', 'department')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(['admin', 'manager', 'employee']).default('employee'),
    )
    .option(...password_stdin)
    .option(...json)
    .addHelpText(
      'after',
      example(
        'user create --company 01994f7e-0b2c-7a65-9e18-c4d7205b8f13 --email rui@verde.example \\\n' +
          '    --name "Rui Almeida" --position "Field Manager" --department Operations --role manager',
      ),
    )
    .action(async (options: UserOptions) => (await import('./user.ts')).create(environment, options));
  user
    .command('reset-password <email>')
    .description('Gives a user a new password, and ends every session and all access of apps that act for them.')
    .option(...password_stdin)
    .option(...json)
    .addHelpText('after', example('user reset-password rui@verde.example'))
    .action(async (email: string, options) => (await import('./user.ts')).setPassword(environment, email, options));
  user
    .command('revoke <email>')
    .description('Ends every session of a user and all access of apps that act for them; they can sign in again.')
    .option(...json)
    .addHelpText('after', example('user revoke rui@verde.example'))
    .action(async (email: string, options) => (await import('./user.ts')).revoke(environment, email, options));
}

function clientCommands(program: Command, environment: Environment): void {
  const client = program
    .command('client')
    .description('Registers, lists and revokes OAuth clients: the apps that users may allow to act for them.')
    .addHelpText('after', example('client list'));
  client
    .command('create')
    .description('Registers a client and prints its id and, this once, its secret.')
    .requiredOption('--name <name>', 'shown to users when they are asked for consent')
    .requiredOption(
      '--redirect-uri <uri>',
      'where users come back to; repeat for several; any port on loopback',
      collect,
    )
    .option('--public', 'the client can not keep a secret: an app on a device, or one in a browser')
    .option(...json)
    .addHelpText('after', example('client create --name "Payroll" --redirect-uri https://payroll.example/callback'))
    .action(async (options: ClientOptions) => (await import('./client.ts')).create(environment, options));
  client
    .command('list')
    .description('Lists all clients, revoked ones too, oldest first.')
    .option(...json)
    .addHelpText('after', example('client list --json'))
    .action(async (options) => (await import('./client.ts')).list(environment, options));
  client
    .command('rotate-secret <id>')
    .description('Gives a client a new secret, printed this once; the old one stops at once, what users granted stays.')
    .option(...json)
    .addHelpText('after', example('client rotate-secret 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('./client.ts')).rotateSecret(environment, id, options));
  client
    .command('revoke <id>')
    .description('Ends a client, and every token it holds.')
    .option(...json)
    .addHelpText('after', example('client revoke 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('./client.ts')).revoke(environment, id, options));
}

function keyCommands(program: Command, environment: Environment): void {
  const key = program
    .command('key')
    .description('Lists, adds and retires the keys that sign access tokens.')
    .addHelpText('after', example('key list'));
  key
    .command('list')
    .description('Lists the signing keys, newest first, with what each is good for.')
    .option(...json)
    .addHelpText('after', example('key list'))
    .action(async (options) => (await import('./key.ts')).list(environment, options));
  key
    .command('rotate')
    .description('Makes a new key that signs from now on, while the keys before it stay accepted.')
    .option(...json)
    .addHelpText('after', example('key rotate'))
    .action(async (options) => (await import('./key.ts')).rotate(environment, options));
  key
    .command('retire')
    .description('Ends the replaced keys whose last token has expired, as the worker does once an hour.')
    .option('--now', 'every replaced key, with the tokens it signed: for one that leaked, after `key rotate`')
    .option(...json)
    .addHelpText('after', example('key retire'))
    .action(async (options) => (await import('./key.ts')).retire(environment, options));
}

function sessionCommands(program: Command, environment: Environment): void {
  program
    .command('login')
    .description('Signs in through the browser and keeps the tokens on this machine.')
    .option(...base_url)
    .option('--client-id <id>', 'a public client; default: the one of `make run`, or the one used there before')
    .option('--scope <scopes>', 'scopes to ask for, separated by spaces; default: all')
    .option('--no-open', 'only print the address, open no browser')
    .option('--print', 'print the tokens as JSON instead of keeping them')
    .option('--timeout-s <seconds>', 'how long to wait for the sign-in', seconds, 300)
    .option(...json)
    .addHelpText('after', example('login --scope "profile collaborators:read"'))
    .action(async (options: LoginOptions) => (await import('./login.ts')).login(environment, options));
  program
    .command('token')
    .description('Prints a valid access token of the kept sign-in, refreshed when it is about to end.')
    .option(...base_url)
    .option(...json)
    .addHelpText(
      'after',
      `\nExample:\n  curl -H "Authorization: Bearer $(npm run -s cli -- token)" http://127.0.0.1:8080/auth/user`,
    )
    .action(async (options) => (await import('./token.ts')).token(environment, options));
  program
    .command('logout')
    .description('Revokes the kept tokens at the service, and removes them from this machine.')
    .option(...base_url)
    .option('--local', 'only remove them, for a service that is gone')
    .option(...json)
    .addHelpText('after', example('logout'))
    .action(async (options: LogoutOptions) => (await import('./logout.ts')).logout(environment, options));
}

function sheetCommands(program: Command, environment: Environment): void {
  program
    .command('import [file]')
    .description('Adds or changes the people of a workbook or csv file, and tells every error by row and column.')
    .option('--dry-run', 'check the file and write nothing; on a terminal, asks whether to go on')
    .addOption(
      new Option('--commit <id>', 'carry out this dry run, instead of sending a file').conflicts([
        'dryRun',
        'mode',
        'onError',
        'emptyCells',
        'sheet',
        'map',
        'sendInvitations',
      ]),
    )
    .addOption(
      new Option('--mode <mode>', 'upsert changes who is there already, by email; default: create').choices([
        'create',
        'upsert',
      ]),
    )
    .addOption(
      new Option('--on-error <what>', 'take the rows without errors, or none; default: continue').choices([
        'continue',
        'abort',
      ]),
    )
    .addOption(
      new Option('--empty-cells <what>', 'what an empty cell does to who is there; default: keep').choices([
        'keep',
        'clear',
      ]),
    )
    .option('--sheet <name>', 'the sheet to read; default: Collaborators, or the first')
    .option('--map <header=field>', 'which field a column is, none to leave it out; repeat for several', mapping)
    .option('--send-invitations', 'invite everyone who is added, by mail')
    .option('--error-report <file>', 'save the file with its errors beside the rows, to be mended')
    .option(...force)
    .option(...company)
    .option(...base_url)
    .option(...json)
    .addHelpText(
      'after',
      `${example('import people.xlsx --dry-run --map Start=hire_date --map Badge=')}

The exit code is 1 as well when the file has errors. Ctrl-C cancels the import.`,
    )
    .action(async (file: string | undefined, options: ImportOptions) =>
      (await import('./import.ts')).importFile(environment, file, options),
    );
  program
    .command('export')
    .description('Saves the people of a company, a part of them, or one of them as a file.')
    .option('-o, --output <file>', 'where to; default: the name that the service gives it')
    .option(...force)
    .addOption(
      new Option('--format <format>', 'default: as the name of the file says, else xlsx').choices([
        'xlsx',
        'csv',
        'json',
      ]),
    )
    .addOption(
      new Option('--group-by <field>', 'a sheet for each department, location …')
        .choices(['department', 'location', 'position', 'status', 'role', 'manager'])
        .conflicts(['updatedSince', 'sort']),
    )
    .addOption(
      new Option('--collaborator <id>', 'everything about this one').conflicts([
        'groupBy',
        'status',
        'role',
        'department',
        'location',
        'manager',
        'search',
        'updatedSince',
        'sort',
      ]),
    )
    .addOption(new Option('--status <status>', 'only who is this').choices(['active', 'inactive', 'pending']))
    .addOption(new Option('--role <role>', 'only who is this').choices(['admin', 'manager', 'employee']))
    .option('--department <name>', 'only who is in it')
    .option('--location <name>', 'only who works there')
    .option('--manager <id>', 'only who reports to them')
    .option('--search <text>', 'only whose name, email or position has it')
    .option('--updated-since <time>', 'only who has changed since, as 2026-03-01T00:00:00Z')
    .option('--sort <fields>', 'as department,-hire_date')
    .option(...company)
    .option(...base_url)
    .option(...json)
    .addHelpText('after', example('export --department Fleet --sort name -o fleet.xlsx'))
    .action(async (options: ExportOptions) => (await import('./export.ts')).exportFile(environment, options));
}

function example(command: string): string {
  return `\nExample:\n  npm run cli -- ${command}`;
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** `Start=hire_date`; nothing behind the sign leaves the column out. A header may have the sign in it as well. */
function mapping(value: string, before: Record<string, string | null> = {}): Record<string, string | null> {
  const sign = value.lastIndexOf('=');
  if (sign < 1) throw new InvalidArgumentError('Must be a header, the sign =, and a field.');
  return { ...before, [value.slice(0, sign)]: value.slice(sign + 1) || null };
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400) {
    throw new InvalidArgumentError('Must be a whole number from 1 to 86400.');
  }
  return value;
}
