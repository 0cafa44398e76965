// Service processes under a supervisor that acts like systemd or Kubernetes: restarts whatever ends, unchanged.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeExit } from '../../../run/before-exit.ts';

const main = fileURLToPath(new URL('../../../../src/main.ts', import.meta.url));
const restartAfterMs = 500;

type ProcessRole = 'api' | 'worker';

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** End of its stderr output. */
  stderrTail: string;
  /** Whether it had reported ready. */
  wasReady: boolean;
  atMs: number;
}

/** A process and its replacements. */
export class Supervised {
  readonly name: string;
  readonly role: ProcessRole;
  /** Unrequested exits. */
  readonly exits: Exit[] = [];
  restarts = 0;
  /** Error-level log entries by message, with an example. */
  readonly errors = new Map<string, { count: number; example: string }>();
  readonly #environment: Record<string, string>;
  readonly #nodeOptions: readonly string[];
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #exitRequested = false;
  #stopping = false;
  #ended = Promise.withResolvers<Exit>();
  #isReady = Promise.withResolvers<void>();
  #wasReady = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param environment complete
   * @param folder for its log, `<name>.log`
   * @param nodeOptions options of node, to load code that responds to `ask`
   */
  constructor(
    name: string,
    role: ProcessRole,
    environment: Record<string, string>,
    folder: string,
    nodeOptions: readonly string[] = [],
  ) {
    this.name = name;
    this.role = role;
    this.#environment = environment;
    this.#nodeOptions = nodeOptions;
    this.#log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
    this.#start();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when the current process, or its replacement, first becomes ready. */
  ready(): Promise<void> {
    return this.#isReady.promise;
  }

  /** Sends a signal, and resolves when the process has ended; the supervisor restarts it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.#child) return; // it is about to be restarted
    this.#exitRequested = true;
    this.#child.kill(signal);
    await this.#ended.promise;
  }

  /** Queries the code that `nodeOptions` loaded; undefined when the process is not running. */
  query(): Promise<unknown> {
    const child = this.#child;
    if (!child?.connected) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const onClose = () => resolve(undefined);
      child.once('message', (reply) => {
        child.off('close', onClose);
        resolve(reply);
      });
      child.once('close', onClose);
      child.send('ask');
    });
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit | undefined> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    let exit: Exit | undefined;
    if (this.#child) {
      this.#child.kill(signal);
      exit = await this.#ended.promise;
    }
    this.#log.end();
    return exit;
  }

  #start(): void {
    this.#exitRequested = false;
    this.#wasReady = false;
    this.#ended = Promise.withResolvers<Exit>();
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    if (this.#nodeOptions.length > 0) stdio.push('ipc');
    const args = [...this.#nodeOptions, main, this.role];
    const child = spawn(process.execPath, args, { env: this.#environment, stdio });
    this.#child = child;
    const cancelExitHook = beforeExit(() => child.kill('SIGKILL'));
    let stderrTail = '';
    createInterface({ input: child.stdout! }).on('line', (line) => this.#read(line));
    child.stderr!.on('data', (text: Buffer) => {
      stderrTail = `${stderrTail}${text}`.slice(-2_000);
      this.#log.write(text);
    });
    child.once('close', (code, signal) => {
      cancelExitHook();
      this.#closed({ code, signal, stderrTail: stderrTail.trim(), wasReady: this.#wasReady, atMs: performance.now() });
    });
  }

  #closed(exit: Exit): void {
    if (!this.#exitRequested && !this.#stopping) this.exits.push(exit);
    this.#child = undefined;
    if (this.#wasReady) this.#isReady = Promise.withResolvers<void>();
    this.#ended.resolve(exit);
    if (this.#stopping) return;
    this.#timer = setTimeout(() => {
      this.restarts++;
      this.#start();
    }, restartAfterMs);
  }

  #read(line: string): void {
    this.#log.write(`${line}\n`);
    if (line.includes('"msg":"ready"')) {
      this.#wasReady = true;
      this.#isReady.resolve();
    }
    if (!/"level":(?:"error"|"fatal"|[56]0)/.test(line)) return;
    const { msg = '', err } = parse(line);
    const summary = err?.message && err.message !== msg ? `${msg} (${err.message})` : String(msg);
    const known = this.errors.get(summary);
    if (known) known.count++;
    else this.errors.set(summary, { count: 1, example: line });
  }
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
