/** How a command fails: the line that the user reads, and the exit code. */
import { CommanderError } from 'commander';
import { startProblem } from '../../platform/process/start-problem.ts';

/** What a user can do something about; its message is one line. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exit_code: number;

  /** @param exit_code 2 when the command was used in a wrong way, 130 when it was interrupted */
  constructor(message: string, exit_code = 1) {
    super(message);
    this.exit_code = exit_code;
  }
}

/** Says what is wrong on stderr, and returns the exit code. */
export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) {
    // Already told. Its code is 1 for wrong usage, and for a group of commands that was called without one of them.
    return error.exitCode === 0 ? 0 : 2;
  }
  console.error(`error: ${startProblem(error)}`);
  return error instanceof Failure ? error.exit_code : 1;
}
