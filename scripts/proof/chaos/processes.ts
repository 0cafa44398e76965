// Processes of the service under a supervisor that does what systemd or Kubernetes would: whatever ends is started again
// after a moment, in the same way, and nothing else is done for it.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeExit } from './endings.ts';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const restartAfterMs = 500;

type ProcessRole = 'api' | 'worker';

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr. */
  words: string;
  /** Whether it had said that it is ready. */
  wasReady: boolean;
  atMs: number;
}

/** A process, with the ones that take its place. */
export class Supervised {
  readonly name: string;
  readonly role: ProcessRole;
  /** Ends that nobody asked for. */
  readonly exits: Exit[] = [];
  /** How often it was started again. */
  restarts = 0;
  /** What it logged at the level of errors, by message, with an example. */
  readonly errors = new Map<string, { count: number; example: string }>();
  readonly #environment: Record<string, string>;
  readonly #nodeOptions: readonly string[];
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #asked = false;
  #stopping = false;
  #ended = Promise.withResolvers<Exit>();
  #isReady = Promise.withResolvers<void>();
  #wasReady = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param environment all of it
   * @param folder where its log goes, as `<name>.log`
   * @param nodeOptions of node itself: to load code that answers `ask`
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

  /** Resolves when the process that runs now, or the one after it, is ready for the first time. */
  ready(): Promise<void> {
    return this.#isReady.promise;
  }

  /** Ends it by a signal; the supervisor starts another. Resolves when it has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.#child) return; // it is about to be started again
    this.#asked = true;
    this.#child.kill(signal);
    await this.#ended.promise;
  }

  /** Asks the code that was loaded into it by `nodeOptions` and waits for what it says; undefined when it does not run. */
  ask(): Promise<unknown> {
    const child = this.#child;
    if (!child?.connected) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const gone = () => resolve(undefined);
      child.once('message', (answer) => {
        child.off('close', gone);
        resolve(answer);
      });
      child.once('close', gone);
      child.send('ask');
    });
  }

  /** Ends it for good. */
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
    this.#asked = false;
    this.#wasReady = false;
    this.#ended = Promise.withResolvers<Exit>();
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    if (this.#nodeOptions.length > 0) stdio.push('ipc');
    const args = [...this.#nodeOptions, main, this.role];
    const child = spawn(process.execPath, args, { env: this.#environment, stdio });
    this.#child = child;
    const endedInOrder = beforeExit(() => child.kill('SIGKILL'));
    let words = '';
    createInterface({ input: child.stdout! }).on('line', (line) => this.#read(line));
    child.stderr!.on('data', (text: Buffer) => {
      words = `${words}${text}`.slice(-2_000);
      this.#log.write(text);
    });
    child.once('close', (code, signal) => {
      endedInOrder();
      this.#closed({ code, signal, words: words.trim(), wasReady: this.#wasReady, atMs: performance.now() });
    });
  }

  #closed(exit: Exit): void {
    if (!this.#asked && !this.#stopping) this.exits.push(exit);
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
    const what = err?.message && err.message !== msg ? `${msg} (${err.message})` : String(msg);
    const known = this.errors.get(what);
    if (known) known.count++;
    else this.errors.set(what, { count: 1, example: line });
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
