/**
 * Runs the command line in the test's process, which takes a fraction of the time of a process of its own. Signals, terminals,
 * and exit codes of real processes are tested in test/system.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import { exitCode } from '../../packages/cli/src/terminal/failure.ts';
import { checkoutContext } from '../../src/api/cli/checkout-context.ts';
import { createProgram } from '../../src/api/cli/commands/program.ts';
import { startProblem } from '../../src/platform/process/start-problem.ts';
import { eventually } from './eventually.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  /** Waits until stdout or stderr matches. */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray>;
  ended: Promise<Ended>;
}

type Streams = Record<'stdin' | 'stdout' | 'stderr' | 'console', unknown>;

/** The streams of each running command, instead of those of the process. */
const streams = new AsyncLocalStorage<Streams>();
for (const [owner, names] of [
  [process, ['stdin', 'stdout', 'stderr']],
  [globalThis, ['console']],
] as const) {
  for (const name of names) {
    const { get, value } = Object.getOwnPropertyDescriptor(owner, name)!;
    let own: unknown = value;
    Object.defineProperty(owner, name, {
      configurable: true,
      enumerable: true,
      get: () => streams.getStore()?.[name] ?? own ?? get!.call(owner),
      set: (next) => {
        own = next; // jest replaces the console
      },
    });
  }
}

/** Starts a command with only the given environment variables. @param cwd the user's folder */
export function startCli(
  args: readonly string[],
  environment: Record<string, string>,
  { input = '', cwd = process.cwd() } = {},
): RunningCommand {
  const output = { stdout: '', stderr: '' };
  const writing = (name: keyof typeof output) =>
    new Writable({
      write(chunk, _encoding, done) {
        output[name] += chunk;
        done();
      },
    });
  const [stdin, stdout, stderr] = [Readable.from([input]), writing('stdout'), writing('stderr')];
  const run = async (): Promise<Ended> => {
    let code = 0;
    try {
      await createProgram(checkoutContext(environment, cwd)).parseAsync(args, { from: 'user' });
    } catch (error) {
      code = exitCode(error, startProblem);
    }
    return { code, ...output };
  };
  const ended = streams.run({ stdin, stdout, stderr, console: new Console(stdout as never, stderr as never) }, run);
  const waitForOutput = (pattern: RegExp) =>
    eventually(() => {
      const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
      return found ?? Promise.reject(new Error(`no ${pattern} in ${output.stdout}${output.stderr}`));
    });
  return { waitForOutput, ended };
}

export function runCli(...command: Parameters<typeof startCli>): Promise<Ended> {
  return startCli(...command).ended;
}
