/** Commands for signing keys, jobs, and encrypted secrets. Each loads its code when it runs. */
import type { Command } from 'commander';
import { json } from '../../../../packages/cli/src/commands/shared.ts';
import type { Environment } from '../../../platform/config/development.ts';
import { example } from './shared.ts';

export function keyCommands(program: Command, environment: Environment): void {
  const key = program
    .command('key')
    .description('Lists, rotates, and retires the keys that sign access tokens.')
    .addHelpText('after', example('key list'));
  key
    .command('list')
    .description('Lists the signing keys with their state, newest first.')
    .option(...json)
    .addHelpText('after', example('key list'))
    .action(async (options) => (await import('../key.ts')).list(environment, options));
  key
    .command('rotate')
    .description('Creates a new signing key; tokens signed by older keys stay valid.')
    .option(...json)
    .addHelpText('after', example('key rotate'))
    .action(async (options) => (await import('../key.ts')).rotate(environment, options));
  key
    .command('retire')
    .description('Retires replaced keys whose last token has expired, as the worker does once an hour.')
    .option('--now', 'retire every replaced key and invalidate its tokens; for a leaked key, after `key rotate`')
    .option(...json)
    .addHelpText('after', example('key retire'))
    .action(async (options) => (await import('../key.ts')).retire(environment, options));
}

export function jobCommands(program: Command, environment: Environment): void {
  const job = program
    .command('job')
    .description('Lists and restarts failed and parked jobs.')
    .addHelpText('after', example('job list'));
  job
    .command('list')
    .description('Lists jobs that failed too often, and those that are parked because their process ended twice.')
    .option(...json)
    .addHelpText('after', example('job list'))
    .action(async (options) => (await import('../job.ts')).list(environment, options));
  job
    .command('restart <id...>')
    .description('Restarts jobs, with all their attempts.')
    .option(...json)
    .addHelpText('after', example('job restart 4711'))
    .action(async (ids: string[], options) => (await import('../job.ts')).restart(environment, ids, options));
}

export function secretsCommands(program: Command, environment: Environment): void {
  const secrets = program
    .command('secrets')
    .description('Shows and re-encrypts data encrypted at rest, to rotate ENCRYPTION_KEY.')
    .addHelpText('after', example('secrets status'));
  secrets
    .command('status')
    .description('Counts the data encrypted with the first key of ENCRYPTION_KEY and with older keys.')
    .option(...json)
    .addHelpText('after', example('secrets status'))
    .action(async (options) => (await import('../secrets.ts')).status(environment, options));
  secrets
    .command('rotate')
    .description(
      'Re-encrypts everything with the first key while the service runs; it can be interrupted and repeated.',
    )
    .option(...json)
    .addHelpText('after', example('secrets rotate'))
    .action(async (options) => (await import('../secrets.ts')).rotate(environment, options));
}
