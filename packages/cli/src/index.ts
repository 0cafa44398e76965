/** Library entry point: the commands, for programs that add them to their own. */
export { addUserCommands, createProgram } from './program.ts';
export { exitCode, Failure } from './terminal/failure.ts';
export type { Environment, Place } from './terminal/place.ts';
