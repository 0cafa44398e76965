/** Commands for companies, their people and the clients that act for them. */
import { type Command, Option } from 'commander';
import type { Environment } from '../../../platform/config/development.ts';
import type { ClientOptions } from '../client.ts';
import type { CompanyOptions } from '../company.ts';
import type { UserOptions } from '../user.ts';
import { example, json } from './shared.ts';

const password_stdin = ['--password-stdin', 'read the password from standard input; asked for when left out'] as const;

export function companyCommands(program: Command, environment: Environment): void {
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
    .action(async (options: CompanyOptions) => (await import('../company.ts')).create(environment, options));
  company
    .command('list')
    .description('Lists all companies, oldest first.')
    .option(...json)
    .addHelpText('after', example('company list --json'))
    .action(async (options) => (await import('../company.ts')).list(environment, options));
  company
    .command('rename <id>')
    .description('Gives a company another name, which pages and mails show from then on.')
    .requiredOption('--name <name>', 'the new name')
    .option(...json)
    .addHelpText('after', example('company rename 01994f7e-0b2c-7a65-9e18-c4d7205b8f13 --name "Verde Transportes"'))
    .action(async (id: string, options) => (await import('../company.ts')).rename(environment, id, options));
}

export function userCommands(program: Command, environment: Environment): void {
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
    .action(async (options) => (await import('../user.ts')).list(environment, options));
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
    .action(async (options: UserOptions) => (await import('../user.ts')).create(environment, options));
  user
    .command('reset-password <email>')
    .description('Gives a user a new password, and ends every session and all access of apps that act for them.')
    .option(...password_stdin)
    .option(...json)
    .addHelpText('after', example('user reset-password rui@verde.example'))
    .action(async (email: string, options) => (await import('../user.ts')).setPassword(environment, email, options));
  user
    .command('revoke <email>')
    .description('Ends every session of a user and all access of apps that act for them; they can sign in again.')
    .option(...json)
    .addHelpText('after', example('user revoke rui@verde.example'))
    .action(async (email: string, options) => (await import('../user.ts')).revoke(environment, email, options));
}

export function clientCommands(program: Command, environment: Environment): void {
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
    .action(async (options: ClientOptions) => (await import('../client.ts')).create(environment, options));
  client
    .command('list')
    .description('Lists all clients, revoked ones too, oldest first.')
    .option(...json)
    .addHelpText('after', example('client list --json'))
    .action(async (options) => (await import('../client.ts')).list(environment, options));
  client
    .command('rotate-secret <id>')
    .description('Gives a client a new secret, printed this once; the old one stops at once, what users granted stays.')
    .option(...json)
    .addHelpText('after', example('client rotate-secret 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('../client.ts')).rotateSecret(environment, id, options));
  client
    .command('revoke <id>')
    .description('Ends a client, and every token it holds.')
    .option(...json)
    .addHelpText('after', example('client revoke 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('../client.ts')).revoke(environment, id, options));
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}
