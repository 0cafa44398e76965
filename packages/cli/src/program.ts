/**
 * The commands of API users. `commands/` declares each with its options and help; implementations are loaded lazily, because
 * `token` runs inside other commands and must start fast.
 */
import { Command } from 'commander';
import { completionCommands } from './commands/completion.ts';
import { fieldCommands } from './commands/fields.ts';
import { apiCommand, auditCommands, listenCommand, mcpCommand } from './commands/requests.ts';
import { sessionCommands } from './commands/session.ts';
import { sheetCommands } from './commands/sheets.ts';
import type { CliContext } from './terminal/context.ts';

export const exitCodes =
  'Exit codes: 0 success, 1 failure (with one line on stderr), 2 invalid usage, 130 interrupted.';

/** The program as installed. @param version of the package */
export function createProgram(context: CliContext, version: string): Command {
  const program = userProgram(context, version);
  completionCommands(program, context, () => userProgram(context, version));
  return program;
}

function userProgram(context: CliContext, version: string): Command {
  const program = emptyProgram(context, version)
    .description('The command line of the collaborator API: sign in, send requests, import and export, receive events.')
    .addHelpText('after', about(context));
  addUserCommands(program, context);
  addHelpCommand(program);
  return program;
}

function about({ program }: CliContext): string {
  return `
Begin with: ${program} login --base-url https://people.example.com

Environment:
  API_URL     address of the service, instead of --base-url
  COMPANY_ID  id of the company, instead of --company
  API_TOKEN   an access token for API_URL, used instead of a sign-in

${exitCodes}`;
}

/** A program with the shared settings and no commands. */
export function emptyProgram(context: CliContext, version: string): Command {
  return new Command(context.program)
    .version(version, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(add --help for more)');
}

/** Starts the last help group: commands about the program itself. */
export function addHelpCommand(program: Command): void {
  program.commandsGroup('This program:').helpCommand('help [command]', 'Shows the help of a command.');
}

/** Adds the commands that need only the address of a service. */
export function addUserCommands(program: Command, context: CliContext): void {
  program.commandsGroup('Signing in:');
  sessionCommands(program, context);
  program.commandsGroup('People and files:');
  sheetCommands(program, context);
  fieldCommands(program, context);
  program.commandsGroup('Requests and events:');
  apiCommand(program, context);
  listenCommand(program, context);
  mcpCommand(program, context);
  auditCommands(program, context);
}
