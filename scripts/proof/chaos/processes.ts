// Processes of the service under a supervisor that does what systemd or Kubernetes would: whatever ends is started again
// after a moment, in the same way, and nothing else is done for it.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeExit } from './endings.ts';

const main = decodeURIComponent(new URL('../../../src/main.ts', import.meta.url).pathname);
const restart_after_ms = 500;

export type ProcessRole = 'api' | 'worker';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr. */
  words: string;
  /** Whether it had said that it is ready. */
  was_ready: boolean;
  at_ms: number;
}

export interface Supervised {
  name: string;
  role: ProcessRole;
  readonly pid: number | undefined;
  /** Resolves when the process that runs now, or the one after it, is ready for the first time. */
  ready(): Promise<void>;
  /** Ends it by a signal; the supervisor starts another. Resolves when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Ends that nobody asked for. */
  exits: Exit[];
  /** How often it was started again. */
  restarts: number;
  /** What it logged at the level of errors, by message, with an example. */
  errors: Map<string, { count: number; example: string }>;
  /** Asks the code that was loaded into it by `node_options` and waits for what it says; undefined when it does not run. */
  ask(): Promise<unknown>;
  /** Ends it for good. */
  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit | undefined>;
}

/**
 * @param folder where its log goes, as `<name>.log`
 * @param environment all of it
 * @param node_options of node itself: to load code that answers `ask`
 */
export function supervise(
  name: string,
  role: ProcessRole,
  environment: Record<string, string>,
  folder: string,
  node_options: readonly string[] = [],
): Supervised {
  const log: WriteStream = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
  let child: ChildProcess | undefined;
  let asked = false;
  let stopping = false;
  let ended = Promise.withResolvers<Exit>();
  let is_ready = Promise.withResolvers<void>();
  let was_ready = false;
  let timer: NodeJS.Timeout | undefined;

  const self: Supervised = {
    name,
    role,
    exits: [],
    restarts: 0,
    errors: new Map(),
    get pid() {
      return child?.pid;
    },
    ready: () => is_ready.promise,
    async end(signal) {
      if (!child) return; // it is about to be started again
      asked = true;
      child.kill(signal);
      await ended.promise;
    },
    ask() {
      const asked_of = child;
      if (!asked_of?.connected) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const gone = () => resolve(undefined);
        asked_of.once('message', (answer) => {
          asked_of.off('close', gone);
          resolve(answer);
        });
        asked_of.once('close', gone);
        asked_of.send('ask');
      });
    },
    async stop(signal) {
      stopping = true;
      clearTimeout(timer);
      let exit: Exit | undefined;
      if (child) {
        child.kill(signal);
        exit = await ended.promise;
      }
      log.end();
      return exit;
    },
  };

  function read(line: string): void {
    log.write(`${line}\n`);
    if (line.includes('"msg":"ready"')) {
      was_ready = true;
      is_ready.resolve();
    }
    if (!/"level":(?:"error"|"fatal"|[56]0)/.test(line)) return;
    const { msg = '', err } = parse(line);
    const what = err?.message && err.message !== msg ? `${msg} (${err.message})` : String(msg);
    const known = self.errors.get(what);
    if (known) known.count++;
    else self.errors.set(what, { count: 1, example: line });
  }

  function start(): void {
    asked = false;
    was_ready = false;
    ended = Promise.withResolvers<Exit>();
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    if (node_options.length > 0) stdio.push('ipc');
    const started = spawn(process.execPath, [...node_options, main, role], { env: environment, stdio });
    child = started;
    const ended_in_order = beforeExit(() => started.kill('SIGKILL'));
    let words = '';
    createInterface({ input: started.stdout! }).on('line', read);
    started.stderr!.on('data', (text: Buffer) => {
      words = `${words}${text}`.slice(-2_000);
      log.write(text);
    });
    started.once('close', (code, signal) => {
      ended_in_order();
      const exit = { code, signal, words: words.trim(), was_ready, at_ms: performance.now() };
      if (!asked && !stopping) self.exits.push(exit);
      child = undefined;
      if (was_ready) is_ready = Promise.withResolvers<void>();
      ended.resolve(exit);
      if (stopping) return;
      timer = setTimeout(() => {
        self.restarts++;
        start();
      }, restart_after_ms);
    });
  }
  start();
  return self;
}

interface LogLine {
  msg?: string;
  err?: { message?: string };
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line);
  } catch {
    return { msg: line };
  }
}
