/** Commands for the data as a whole. */
import type { Command } from 'commander';
import type { Environment } from '../../../platform/config/development.ts';
import type { ErasePersonOptions } from '../erase-person.ts';
import { example, json } from './shared.ts';

export function databaseCommands(program: Command, environment: Environment): void {
  const database = program
    .command('database')
    .description('Prepares the database.')
    .addHelpText('after', example('database distribute --dry-run'));
  database
    .command('distribute')
    .description('Spreads the tables over the machines of a Citus cluster by company, once: docs/operations/citus.md.')
    .option('--dry-run', 'only print the statements')
    .option(...json)
    .addHelpText('after', example('database distribute --dry-run'))
    .action(async (options) => (await import('../distribute.ts')).distributeDatabase(environment, options));
}

export function backupCommands(program: Command, environment: Environment): void {
  program
    .command('backup')
    .description('Saves database and files as they are at one moment, while the service runs.')
    .argument('<target>', 'a folder that is not there yet, or a file whose name ends with .zip')
    .option(...json)
    .addHelpText(
      'after',
      `${example('backup /backups/2026-03-01.zip')}\n\nKeep ENCRYPTION_KEY elsewhere: it is not in it.`,
    )
    .action(async (target: string, options) => (await import('../backup.ts')).backup(environment, target, options));
  program
    .command('restore <source>')
    .description('Puts a backup into an empty database and storage, and checks that everything is there.')
    .option('--force', 'DELETES what the database holds; and lets the storage hold files of something else')
    .option(...json)
    .addHelpText(
      'after',
      `${example('restore /backups/2026-03-01.zip')}\n\nThe service has to be stopped. It needs the ENCRYPTION_KEY of then.`,
    )
    .action(async (source: string, options) => (await import('../backup.ts')).restore(environment, source, options));
}

export function erasureCommand(program: Command, environment: Environment): void {
  program
    .command('erase-person')
    .description(
      'Erases the personal data of one person for good, with their documents, and leaves a history without values.',
    )
    .option('--company <id>', 'the company')
    .option('--collaborator <id>', 'who, in this company')
    .option('--email <address>', 'who, in this company, by address; deleted ones too')
    .option('--user <address>', 'the account of this address, and who they are in every company')
    .option('--dry-run', 'tell what would go, and change nothing')
    .option('--yes', 'do not ask')
    .option(...json)
    .addHelpText(
      'after',
      `${example('erase-person --company 01994f7e-0b2c-7a65-9e18-c4d7205b8f13 --email rui@verde.example --dry-run')}

Backups that were taken before still hold the person: after one is restored, erase them again.`,
    )
    .action(async (options: ErasePersonOptions) =>
      (await import('../erase-person.ts')).erasePerson(environment, options),
    );
}

export function settingsCommand(program: Command): void {
  program
    .command('settings')
    .description('Prints every setting of the service, with its default and what it means.')
    .option(...json)
    .addHelpText('after', example('settings'))
    .action(async (options) => (await import('../settings.ts')).list(options));
}
