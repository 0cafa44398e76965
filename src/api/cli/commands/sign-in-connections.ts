/** Commands for sign-in connections. Each loads its code when it runs. */
import type { Command } from 'commander';
import { json } from '../../../../packages/cli/src/commands/shared.ts';
import type { Environment } from '../../../platform/config/development.ts';
import { example } from './shared.ts';

const exampleId = '0199d3f2-7a10-7c44-8e2b-51d6a90c3f78';

export function signInConnectionCommands(program: Command, environment: Environment): void {
  const connection = program
    .command('sign-in-connection')
    .description('Lists and disables identity providers that companies connected.')
    .addHelpText('after', example('sign-in-connection list'));
  connection
    .command('list')
    .description('Lists the sign-in connections of all companies, oldest first.')
    .option(...json)
    .addHelpText('after', example('sign-in-connection list'))
    .action(async (options) => (await import('../sign-in-connection.ts')).list(environment, options));
  connection
    .command('show <id>')
    .description('Shows a sign-in connection: policy per role, domains, and number of people.')
    .option(...json)
    .addHelpText('after', example(`sign-in-connection show ${exampleId}`))
    .action(async (connectionId: string, options) =>
      (await import('../sign-in-connection.ts')).show(environment, connectionId, options),
    );
  connection
    .command('disable <id>')
    .description(
      'Disables a sign-in connection if a company locked itself out; its people are signed out, and sign in with their own accounts.',
    )
    .option(...json)
    .addHelpText('after', example(`sign-in-connection disable ${exampleId}`))
    .action(async (connectionId: string, options) =>
      (await import('../sign-in-connection.ts')).disable(environment, connectionId, options),
    );
}
