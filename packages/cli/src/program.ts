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
import type { Place } from './terminal/context.ts';

export const exitCodes =
  'Exit codes: 0 success, 1 failure (with one line on stderr), 2 invalid usage, 130 interrupted.';

/** The program as installed. @param version of the package */
export function createProgram(place: Place, version: string): Command {
  const program = userProgram(place, version);
  completionCommands(program, place, () => userProgram(place, version));
  return program;
}

function userProgram(place: Place, version: string): Command {
  const program = emptyProgram(place, version)
    .description('The command line of the collaborator API: sign in, send requests, import and export, receive events.')
    .addHelpText('after', about(place));
  addUserCommands(program, place);
  ownCommands(program);
  return program;
}

function about({ program }: Place): string {
  return `
Begin with: ${program} login --base-url https://people.example.com

Environment:
  API_URL     address of the service, instead of --base-url
  COMPANY_ID  id of the company, instead of --company
  API_TOKEN   an access token for API_URL, used instead of a sign-in

${exitCodes}`;
}

/** A program with the shared settings and no commands. */
export function emptyProgram(place: Place, version: string): Command {
  return new Command(place.program)
    .version(version, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(add --help for more)');
}

/** Starts the last help group: commands about the program itself. */
export function ownCommands(program: Command): void {
  program.commandsGroup('This program:').helpCommand('help [command]', 'Shows the help of a command.');
}

/** Adds the commands that need only the address of a service. */
export function addUserCommands(program: Command, place: Place): void {
  program.commandsGroup('Signing in:');
  sessionCommands(program, place);
  program.commandsGroup('People and files:');
  sheetCommands(program, place);
  fieldCommands(program, place);
  program.commandsGroup('Requests and events:');
  apiCommand(program, place);
  listenCommand(program, place);
  mcpCommand(program, place);
  auditCommands(program, place);
}
