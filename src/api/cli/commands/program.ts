/** Declares every operator command. Implementations load lazily, because `token` runs inside other commands and must be fast. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { addHelpCommand, addUserCommands, emptyProgram, exitCodes } from '../../../../packages/cli/src/program.ts';
import type { CliContext } from '../../../../packages/cli/src/terminal/context.ts';
import { clientCommands, companyCommands, userCommands } from './accounts.ts';
import { backupCommands, databaseCommands, erasureCommand, settingsCommand, storageCommands } from './data.ts';
import { directoryCommands } from './directories.ts';
import { jobCommands, keyCommands, secretsCommands } from './keys.ts';
import { signInConnectionCommands } from './sign-in-connections.ts';

export function createProgram(context: CliContext): Command {
  const { environment } = context;
  const program = emptyProgram(context, version())
    .description('Manages companies, users, clients, and keys of the collaborator API, signs in, imports, and exports.')
    .addHelpText(
      'after',
      `
Operators' commands work on the database: DATABASE_URL, or the embedded one in DATA_DIR. Changes take effect at once, in every
running process.
The other commands go through the API of any service, here or elsewhere, with the sign-in of \`login\`. Without a checkout,
install them as a package: npm install --global https://<service>/cli.tgz
${exitCodes}`,
    );
  addUserCommands(program, context);
  program.commandsGroup('Operators, companies and accounts:');
  companyCommands(program, environment);
  userCommands(program, environment);
  clientCommands(program, environment);
  directoryCommands(program, environment);
  signInConnectionCommands(program, environment);
  erasureCommand(program, environment);
  program.commandsGroup('Operators, the service:');
  keyCommands(program, environment);
  secretsCommands(program, environment);
  jobCommands(program, environment);
  backupCommands(program, context);
  databaseCommands(program, environment);
  storageCommands(program, environment);
  settingsCommand(program);
  addHelpCommand(program);
  return program;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')).version;
}
