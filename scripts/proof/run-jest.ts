// Runs jest for scripts that start something around it, which has to end after it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const options = ['--disable-warning=ExperimentalWarning'];
/** How long its processes may take to end. */
const longestEndMs = 5_000;

interface RunJestOptions {
  env: NodeJS.ProcessEnv;
  /** Whether what it prints on standard output is shown; its messages always are. */
  prints?: boolean;
  /** Aborted when it is to end, with all processes that it has started. */
  signal: AbortSignal;
}

/**
 * Jest and its workers are a group of processes, which Ctrl-C does not reach by itself, and which is ended as one.
 * @returns the exit code
 * @throws the reason of `signal`, when the last of them has ended
 */
export async function runJest(args: readonly string[], { env, prints, signal }: RunJestOptions): Promise<number> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...options, 'node_modules/jest/bin/jest.js', ...args], {
    cwd: checkout,
    env,
    detached: true,
    stdio: ['ignore', prints ? 'inherit' : 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const end = () => void endGroup(child.pid!);
  signal.addEventListener('abort', end, { once: true });
  const [code] = await ended;
  signal.removeEventListener('abort', end);
  if (signal.aborted) await endGroup(child.pid!); // whom it has left behind
  signal.throwIfAborted();
  return code ?? 1;
}

async function endGroup(id: number): Promise<void> {
  const kill = (signal: NodeJS.Signals | 0) => {
    try {
      return process.kill(-id, signal);
    } catch {
      return false; // nobody is left
    }
  };
  kill('SIGTERM');
  for (const deadline = performance.now() + longestEndMs; kill(0) && performance.now() < deadline; ) await sleep(50);
  kill('SIGKILL');
}
