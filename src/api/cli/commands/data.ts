/** Commands for the database, backups, stored files, erasure, and settings. Each loads its code when it runs. */
import type { Command } from 'commander';
import { json } from '../../../../packages/cli/src/commands/shared.ts';
import type { CliContext } from '../../../../packages/cli/src/terminal/context.ts';
import type { Environment } from '../../../platform/config/development.ts';
import type { ErasePersonOptions } from '../erase-person.ts';
import { example } from './shared.ts';

export function databaseCommands(program: Command, environment: Environment): void {
  const database = program
    .command('database')
    .description('Prepares the database.')
    .addHelpText('after', example('database migrate'));
  database
    .command('migrate')
    .description('Runs migrations, as each start of the service does; use it before replacing processes.')
    .option(...json)
    .addHelpText('after', example('database migrate'))
    .action(async (options) => (await import('../migrate.ts')).migrateDatabase(environment, options));
  database
    .command('distribute')
    .description('Distributes the tables over a Citus cluster by company, once: docs/operations/citus.md.')
    .option('--dry-run', 'only print the statements')
    .option(...json)
    .addHelpText('after', example('database distribute --dry-run'))
    .action(async (options) => (await import('../distribute.ts')).distributeDatabase(environment, options));
}

export function backupCommands(program: Command, context: CliContext): void {
  program
    .command('backup')
    .description('Writes a consistent backup of database and files while the service runs.')
    .argument('<target>', 'new folder, or a file name ending in .zip')
    .option(...json)
    .addHelpText(
      'after',
      `${example('backup /backups/2026-03-01.zip')}\n\nKeep ENCRYPTION_KEY elsewhere: the backup does not contain it.`,
    )
    .action(async (target: string, options) => (await import('../backup.ts')).backup(context, target, options));
  program
    .command('restore <source>')
    .description('Restores a backup into an empty database and storage, and checks that it is complete.')
    .option('--force', 'DELETES everything in the database, and accepts a storage that has other files')
    .option(...json)
    .addHelpText(
      'after',
      `${example('restore /backups/2026-03-01.zip')}\n\nStop the service first. The ENCRYPTION_KEY of that time is needed.`,
    )
    .action(async (source: string, options) => (await import('../backup.ts')).restore(context, source, options));
}

export function storageCommands(program: Command, environment: Environment): void {
  const storage = program
    .command('storage')
    .description('Sets the file store of the database.')
    .addHelpText('after', example('storage adopt'));
  storage
    .command('adopt')
    .description('Assigns the store at STORAGE_URL to this database, after you moved its files there.')
    .option('--force', 'accept a store of another database, whose files are DELETED within hours')
    .option(...json)
    .addHelpText('after', example('storage adopt'))
    .action(async (options) => (await import('../storage.ts')).adoptStorage(environment, options));
}

export function erasureCommand(program: Command, environment: Environment): void {
  program
    .command('erase-person')
    .description('Permanently erases the personal data and documents of one person; a history without values remains.')
    .option('--company <id>', 'the company')
    .option('--collaborator <id>', 'the collaborator in this company')
    .option('--email <address>', 'the collaborator in this company, by email address, including deleted ones')
    .option('--user <address>', 'the account with this email address, and the person in every company')
    .option('--dry-run', 'show what would be erased without changing anything')
    .option('--yes', 'skip the confirmation prompt')
    .option(...json)
    .addHelpText(
      'after',
      `${example('erase-person --company 01994f7e-0b2c-7a65-9e18-c4d7205b8f13 --email rui@verde.example --dry-run')}

Older backups still contain the person: erase again after restoring one.`,
    )
    .action(async (options: ErasePersonOptions) =>
      (await import('../erase-person.ts')).erasePerson(environment, options),
    );
}

export function settingsCommand(program: Command): void {
  program
    .command('settings')
    .description('Prints every setting of the service, with its default and its meaning.')
    .option(...json)
    .addHelpText('after', example('settings'))
    .action(async (options) => (await import('../settings.ts')).list(options));
}
