/** Command errors: the message for the user, and the exit code. */
import { note } from './output.ts';

/** An error that the user can act on; its message is one line. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;

  /** @param exitCode 2 for wrong usage, 130 when interrupted */
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Prints the error on stderr, and returns the exit code. @param explain formats any error other than a Failure */
export function exitCode(error: unknown, explain: (error: unknown) => string = plainMessage): number {
  const { code, exitCode: commanderCode } = error as { code?: unknown; exitCode?: number };
  if (typeof code === 'string' && code.startsWith('commander.')) {
    // Commander has printed it. Its code is 1 for wrong usage, and for a command group without a subcommand.
    return commanderCode === 0 ? 0 : 2;
  }
  note(`error: ${error instanceof CliError ? error.message : explain(error)}`);
  return error instanceof CliError ? error.exitCode : 1;
}

function plainMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
