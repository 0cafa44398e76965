// Runs jest for scripts that start something around it, and makes sure that jest ends first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const options = ['--disable-warning=ExperimentalWarning'];
const maxEndMs = 5_000;

interface RunJestOptions {
  env: NodeJS.ProcessEnv;
  /** Whether to show stdout; stderr is always shown. */
  prints?: boolean;
  signal: AbortSignal;
}

/**
 * Jest and its workers form a process group, which does not receive Ctrl-C itself and is stopped as a whole.
 * @returns the exit code
 * @throws the reason of `signal`, after the last process has ended
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
  if (signal.aborted) await endGroup(child.pid!); // remaining processes
  signal.throwIfAborted();
  return code ?? 1;
}

async function endGroup(id: number): Promise<void> {
  const kill = (signal: NodeJS.Signals | 0) => {
    try {
      return process.kill(-id, signal);
    } catch {
      return false; // none are left
    }
  };
  kill('SIGTERM');
  for (const deadline = performance.now() + maxEndMs; kill(0) && performance.now() < deadline; ) await sleep(50);
  kill('SIGKILL');
}
