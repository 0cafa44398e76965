/** Commands for companies, users, and OAuth clients. Each loads its code when it runs, so help and completion start fast. */
import { type Command, Option } from 'commander';
import { json } from '../../../../packages/cli/src/commands/shared.ts';
import type { Environment } from '../../../platform/config/development.ts';
import type { ClientOptions } from '../client.ts';
import type { CompanyOptions } from '../company.ts';
import type { UserOptions } from '../user.ts';
import { example } from './shared.ts';

const anyUser = 'email address, or the id of a user of an identity provider';

const passwordStdin = [
  '--password-stdin',
  'read the password from standard input; otherwise you are prompted',
] as const;

export function companyCommands(program: Command, environment: Environment): void {
  const company = program
    .command('company')
    .description('Creates, lists, and renames companies, and sets their quotas and time zones.')
    .addHelpText('after', example('company list'));
  company
    .command('create')
    .description('Creates a company and its first admin, who can sign in immediately.')
    .requiredOption('--name <name>', 'company name')
    .requiredOption('--admin-email <address>', 'email address of the admin')
    .requiredOption('--admin-name <name>', 'full name of the admin')
    .option('--admin-password <password>', 'visible to other users of this machine; otherwise you are prompted')
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
    .description('Renames a company, on all pages and in new emails.')
    .requiredOption('--name <name>', 'the new name')
    .option(...json)
    .addHelpText('after', example('company rename 01994f7e-0b2c-7a65-9e18-c4d7205b8f13 --name "Verde Transportes"'))
    .action(async (id: string, options) => (await import('../company.ts')).rename(environment, id, options));
  company
    .command('set-time-zone <id> <zone>')
    .description('Sets the time zone of a company, in which last days of employment end; initially UTC.')
    .option(...json)
    .addHelpText('after', example('company set-time-zone 01994f7e-0b2c-7a65-9e18-c4d7205b8f13 America/Sao_Paulo'))
    .action(async (id: string, zone: string, options) =>
      (await import('../company.ts')).setTimeZone(environment, id, zone, options),
    );
  quotaCommands(company, environment);
}

function quotaCommands(company: Command, environment: Environment): void {
  const exampleId = '01994f7e-0b2c-7a65-9e18-c4d7205b8f13';
  company
    .command('quotas <id>')
    .description('Shows the quotas of a company and their usage.')
    .option(...json)
    .addHelpText('after', example(`company quotas ${exampleId}`))
    .action(async (id: string, options) => (await import('../quota.ts')).show(environment, id, options));
  company
    .command('set-quota <id> <quota> <limit>')
    .description('Sets a quota of a company; `default` restores the limit of the settings.')
    .option(...json)
    .addHelpText('after', example(`company set-quota ${exampleId} people 5000`))
    .action(async (id: string, quota: string, limit: string, options) =>
      (await import('../quota.ts')).set(environment, [id, quota, limit], options),
    );
}

export function userCommands(program: Command, environment: Environment): void {
  const user = program
    .command('user')
    .description(
      'Lists and creates users, sets passwords, removes lost second factors and wrong links, and revokes access.',
    )
    .addHelpText('after', example('user list'));
  user
    .command('list')
    .description('Lists all users, oldest first, with role and status in each company.')
    .option('--company <id>', 'filter by company')
    .option(...json)
    .addHelpText('after', example('user list --company 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (options) => (await import('../user.ts')).list(environment, options));
  user
    .command('create')
    .description('Creates a user in a company who can sign in immediately, without an invitation.')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <address>', 'email address to sign in with')
    .requiredOption('--name <name>', 'full name')
    .requiredOption('--position <title>', 'job title')
    .requiredOption('--department <name>', 'department')
    .addOption(new Option('--role <role>', 'role').choices(['admin', 'manager', 'employee']).default('employee'))
    .option(...passwordStdin)
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
    .description('Sets a new password, and revokes all sessions and app access of the user.')
    .option(...passwordStdin)
    .option(...json)
    .addHelpText('after', example('user reset-password rui@verde.example'))
    .action(async (email: string, options) => (await import('../user.ts')).setPassword(environment, email, options));
  user
    .command('revoke')
    .description('Revokes all sessions and app access of a user, who can sign in again.')
    .argument('<user>', anyUser)
    .option(...json)
    .addHelpText('after', example('user revoke rui@verde.example'))
    .action(async (user: string, options) => (await import('../user.ts')).revoke(environment, user, options));
  user
    .command('remove-factors')
    .description(
      'Removes all second factors of a user who lost them, revokes their sessions, and notifies everyone concerned by email.',
    )
    .argument('<user>', anyUser)
    .option('--verified', "confirms that you verified the user's identity by other means; required")
    .option(...json)
    .addHelpText('after', example('user remove-factors rui@verde.example --verified'))
    .action(async (user: string, options) => (await import('../user.ts')).removeFactors(environment, user, options));
  user
    .command('unlink <id>')
    .description('Separates a person from a wrong account of their identity provider, and revokes its access.')
    .option(...json)
    .addHelpText('after', example('user unlink 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('../user.ts')).unlink(environment, id, options));
}

export function clientCommands(program: Command, environment: Environment): void {
  const client = program
    .command('client')
    .description('Registers, lists, and revokes OAuth clients: the apps that users can authorize.')
    .addHelpText('after', example('client list'));
  client
    .command('create')
    .description('Registers a client, and prints its ID and its secret, which is shown only once.')
    .requiredOption('--name <name>', 'name shown to users on the consent page')
    .requiredOption('--redirect-uri <uri>', 'redirect URI; repeatable; on loopback, any port is accepted', collect)
    .option('--public', 'public client without a secret: an app on a device or in a browser')
    .option(...json)
    .addHelpText('after', example('client create --name "Payroll" --redirect-uri https://payroll.example/callback'))
    .action(async (options: ClientOptions) => (await import('../client.ts')).create(environment, options));
  client
    .command('list')
    .description('Lists all clients, including revoked ones, oldest first.')
    .option(...json)
    .addHelpText('after', example('client list --json'))
    .action(async (options) => (await import('../client.ts')).list(environment, options));
  client
    .command('approve <id>')
    .description('Approves an app for every company, if its maker requested that.')
    .option('--withdraw', 'withdraw the approval, and revoke the connections of other companies')
    .option(...json)
    .addHelpText('after', example('client approve 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('../client.ts')).approve(environment, id, options));
  client
    .command('rotate-secret <id>')
    .description('Rotates the secret of a client: the old one stops working immediately, user grants stay.')
    .option(...json)
    .addHelpText('after', example('client rotate-secret 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('../client.ts')).rotateSecret(environment, id, options));
  client
    .command('end-connections <id>')
    .description('Revokes all connections of a client, everywhere or for one company, until people authorize it again.')
    .option('--company <id>', 'only connections of this company')
    .option(...json)
    .addHelpText('after', example('client end-connections 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('../client.ts')).endConnections(environment, id, options));
  client
    .command('revoke <id>')
    .description('Revokes a client and all its tokens.')
    .option(...json)
    .addHelpText('after', example('client revoke 01994f7e-0b2c-7a65-9e18-c4d7205b8f13'))
    .action(async (id: string, options) => (await import('../client.ts')).revoke(environment, id, options));
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}
