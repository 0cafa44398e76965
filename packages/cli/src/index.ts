/** What programs import: the commands, to add them to a program of their own. */
export { addUserCommands, createProgram } from './program.ts';
export { exitCode, Failure } from './terminal/failure.ts';
export type { Environment, Place } from './terminal/place.ts';
