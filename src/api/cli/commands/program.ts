/**
 * The command line: `commands/` has every command with its options and help, and names the file that implements it.
 * Those files are loaded when needed, because `token` is used inside other commands and must be fast.
 */
import { Command } from 'commander';
import type { Environment } from '../../../platform/config/development.ts';
import { clientCommands, companyCommands, userCommands } from './accounts.ts';
import { backupCommands, databaseCommands, erasureCommand, settingsCommand } from './data.ts';
import { jobCommands, keyCommands, secretsCommands } from './keys.ts';
import { auditCommands, sheetCommands } from './records.ts';
import { sessionCommands } from './session.ts';

/** @param environment the variables of the process */
export function createProgram(environment: Environment): Command {
  const program = new Command('npm run cli --')
    .description(
      'Sets up companies, users, clients and keys of the collaborator API, signs in to it, imports and exports.',
    )
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Commands for companies, users, clients, keys and jobs work on the database: DATABASE_URL, or the embedded one in DATA_DIR.
What they change counts at once, in every running process.
Imports, exports and the audit log go through the API of any service, here or elsewhere, with the sign-in of \`login\`.
Exit codes: 0 done, 1 it failed (one line on stderr says why), 2 wrong usage, 130 interrupted.`,
    );
  companyCommands(program, environment);
  userCommands(program, environment);
  clientCommands(program, environment);
  keyCommands(program, environment);
  jobCommands(program, environment);
  databaseCommands(program, environment);
  backupCommands(program, environment);
  erasureCommand(program, environment);
  sessionCommands(program, environment);
  sheetCommands(program, environment);
  secretsCommands(program, environment);
  settingsCommand(program);
  auditCommands(program, environment);
  return program;
}
