/** How a command fails: the line that the user reads, and the exit code. */
import { note } from './output.ts';

/** What a user can do something about; its message is one line. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exitCode: number;

  /** @param exitCode 2 when the command was used in a wrong way, 130 when it was interrupted */
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Says what is wrong on stderr, and returns the exit code.
 * @param explain what is said of an error that is no Failure
 */
export function exitCode(error: unknown, explain: (error: unknown) => string = plainMessage): number {
  const { code, exitCode: commanderCode } = error as { code?: unknown; exitCode?: number };
  if (typeof code === 'string' && code.startsWith('commander.')) {
    // Already told. Its code is 1 for wrong usage, and for a group of commands that was called without one of them.
    return commanderCode === 0 ? 0 : 2;
  }
  note(`error: ${error instanceof Failure ? error.message : explain(error)}`);
  return error instanceof Failure ? error.exitCode : 1;
}

function plainMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
