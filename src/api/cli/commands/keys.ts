/** Commands for keys and secrets. */
import type { Command } from 'commander';
import type { Environment } from '../../../platform/config/development.ts';
import { example, json } from './shared.ts';

export function keyCommands(program: Command, environment: Environment): void {
  const key = program
    .command('key')
    .description('Lists, adds and retires the keys that sign access tokens.')
    .addHelpText('after', example('key list'));
  key
    .command('list')
    .description('Lists the signing keys, newest first, with what each is good for.')
    .option(...json)
    .addHelpText('after', example('key list'))
    .action(async (options) => (await import('../key.ts')).list(environment, options));
  key
    .command('rotate')
    .description('Makes a new key that signs from now on, while the keys before it stay accepted.')
    .option(...json)
    .addHelpText('after', example('key rotate'))
    .action(async (options) => (await import('../key.ts')).rotate(environment, options));
  key
    .command('retire')
    .description('Ends the replaced keys whose last token has expired, as the worker does once an hour.')
    .option('--now', 'every replaced key, with the tokens it signed: for one that leaked, after `key rotate`')
    .option(...json)
    .addHelpText('after', example('key retire'))
    .action(async (options) => (await import('../key.ts')).retire(environment, options));
}

export function secretsCommands(program: Command, environment: Environment): void {
  const secrets = program
    .command('secrets')
    .description('Shows and renews what is encrypted at rest, when ENCRYPTION_KEY is rotated.')
    .addHelpText('after', example('secrets status'));
  secrets
    .command('status')
    .description('Counts what is sealed with the first key of ENCRYPTION_KEY, and what needs an older one.')
    .option(...json)
    .addHelpText('after', example('secrets status'))
    .action(async (options) => (await import('../secrets.ts')).status(environment, options));
  secrets
    .command('rotate')
    .description('Seals everything with the first key, while the service runs; may be stopped and called again.')
    .option(...json)
    .addHelpText('after', example('secrets rotate'))
    .action(async (options) => (await import('../secrets.ts')).rotate(environment, options));
}
