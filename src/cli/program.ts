/**
 * Every command with its options and its help, and the file that does its work. Those files are loaded when they are
 * needed: `token` stands in other people's command lines and must be quick.
 */
import { Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../development.ts';
import type { ClientOptions } from './client.ts';
import type { CompanyOptions } from './company.ts';
import type { LoginOptions } from './login.ts';

const json = ['--json', 'print JSON for programs'] as const;
const base_url = [
  '--base-url <url>',
  'address of the service; default: $BASE_URL, or what runs in this checkout',
] as const;

/** @param environment the variables of the process */
export function createProgram(environment: Environment): Command {
  const program = new Command('npm run cli --')
    .description('Sets up companies and clients of the collaborator API, and signs in to it.')
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Commands for companies and clients work on the database: DATABASE_URL, or the embedded one in DATA_DIR.
Exit codes: 0 done, 1 it failed (one line on stderr says why), 2 wrong usage.`,
    );
  companyCommands(program, environment);
  clientCommands(program, environment);
  sessionCommands(program, environment);
  return program;
}

function companyCommands(program: Command, environment: Environment): void {
  const company = program
    .command('company')
    .description('Makes and lists companies.')
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
    .command('revoke <id>')
    .description('Ends a client, and every token it holds.')
    .option(...json)
    .addHelpText('after', example('client revoke 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('./client.ts')).revoke(environment, id, options));
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
}

function example(command: string): string {
  return `\nExample:\n  npm run cli -- ${command}`;
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400) {
    throw new InvalidArgumentError('Must be a whole number from 1 to 86400.');
  }
  return value;
}
