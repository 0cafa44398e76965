import type { Command } from 'commander';
import { json } from '../../../../packages/cli/src/commands/shared.ts';
import type { Environment } from '../../../platform/config/development.ts';
import { example } from './shared.ts';

export function directoryCommands(program: Command, environment: Environment): void {
  const directory = program
    .command('directory')
    .description('Lists and revokes directories that companies connected.')
    .addHelpText('after', example('directory list'));
  directory
    .command('list')
    .description('Lists the directories of all companies, oldest first.')
    .option(...json)
    .addHelpText('after', example('directory list'))
    .action(async (options) => (await import('../directory.ts')).list(environment, options));
  directory
    .command('delete <id>')
    .description('Revokes a directory, for example if its token leaked; the token stops working, and the people stay.')
    .option(...json)
    .addHelpText('after', example('directory delete 0199d3a4-6c21-7e95-b7d8-20f4c81a5e63'))
    .action(async (id: string, options) => (await import('../directory.ts')).remove(environment, id, options));
}
