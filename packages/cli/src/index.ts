/** Library entry point: the commands, for programs that add them to their own. */
export { addUserCommands, createProgram } from './program.ts';
export type { CliContext, Environment } from './terminal/context.ts';
export { CliError, exitCode } from './terminal/failure.ts';
