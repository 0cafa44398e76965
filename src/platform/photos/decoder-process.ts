/** A process that decodes photos: image libraries use unlimited native memory and can't be interrupted, but a process can be. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Frame, frame, request, response, responseReader } from './frames.ts';
import type { PlainPhoto } from './plain-photo.ts';
import { isWebp } from './webp.ts';

/** The limit for the whole process, including native memory. */
export const decoderMemoryMb = 512;
/** The startup timeout; a slower machine is too busy for photos. */
const startMs = 20_000;

/**
 * `damaged`: not a valid picture. `died`: the process exited or ran out of memory. `late`: decoding timed out.
 *
 * `starved`: it timed out because the machine is overloaded. `ended`: the caller has given up.
 */
type DecodingFailure = 'damaged' | 'died' | 'late' | 'starved' | 'not_started' | 'ended' | 'busy';

export class DecodingError extends Error {
  override name = 'DecodingError';
  readonly failure: DecodingFailure;

  constructor(failure: DecodingFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

const script = fileURLToPath(new URL('./decoder-main.js', import.meta.url));
/** Without a JIT, V8 reserves no address space for code, so the limit is exact, and an exploited library can't write code. */
const flags = ['--jitless', '--max-old-space-size=64', '--v8-pool-size=1'];
/** Excludes the service's environment, which contains secrets. */
const environment = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
const shell = '/bin/sh';
/** The limits survive the exec. Where one can't be set, the process monitors itself. */
const limits = `ulimit -c 0; ulimit -d ${decoderMemoryMb * 1024}; exec "$0" "$@"`;

export class DecoderProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ready: Promise<void>;
  /** Settles the pending response. */
  #settle: { resolve(found: Frame): void; reject(error: DecodingError): void } | undefined;
  #stderrTail = '';
  #hasEnded = false;
  /** The number of photos it has received. */
  photos = 0;

  /** @param onEnd called when the process has exited for any reason */
  constructor(onEnd: (process: DecoderProcess) => void) {
    const program = [process.execPath, ...flags, script, String(decoderMemoryMb * 1024 * 1024)];
    const [command, ...args] = existsSync(shell) ? [shell, '-c', limits, ...program] : program;
    const onExit = (reason: string) => {
      this.#hasEnded = true;
      this.#settle?.reject(new DecodingError('died', `the decoder ended: ${reason} ${this.#stderrTail}`.trim()));
      onEnd(this);
    };
    const child = spawn(command!, args, { env: environment, stdio: 'pipe' });
    child.on('error', (error) => onExit(error.message));
    child.once('exit', (code, signal) => onExit(signal ?? `exit code ${code}`));
    this.#child = child;
    const { stdin, stdout, stderr } = child;
    const read = responseReader((found) => this.#settle?.resolve(found));
    stdout.on('data', (piece: Buffer) => {
      try {
        read(piece);
      } catch {
        this.end(); // violates the protocol
      }
    });
    stderr.on('data', (text: Buffer) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-1_000);
    });
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {}); // the process exits as well
    this.#ready = this.#start();
    this.#ready.catch(() => {}); // reported to the first photo
    this.#hold(false);
  }

  /** @param signal kills the process @throws DecodingError */
  async decode({ bytes, is_strict: isStrict }: PlainPhoto, maxMs: number, signal: AbortSignal): Promise<Buffer> {
    const onAbort = () => this.end();
    signal.addEventListener('abort', onAbort);
    this.#hold(true);
    this.photos++;
    try {
      await this.#ready;
      if (signal.aborted) throw new DecodingError('ended', 'the client disconnected');
      const beforeMs = this.#processorTime();
      const late = () => this.#timeoutError(beforeMs, maxMs);
      this.#child.stdin.write(frame(isStrict ? request.decodeStrictly : request.decode, bytes));
      const { kind, content } = await this.#next(maxMs, late);
      if (kind === response.avatar && isWebp(content)) return Buffer.from(content);
      throw new DecodingError(/memory/i.test(content.toString()) ? 'died' : 'damaged', content.toString());
    } catch (error) {
      throw signal.aborted ? new DecodingError('ended', String(signal.reason)) : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#hold(false);
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  end(): void {
    this.#hasEnded = true;
    this.#child.kill('SIGKILL');
  }

  async #start(): Promise<void> {
    try {
      await this.#next(startMs, () => new DecodingError('not_started', `not ready in ${startMs} ms`));
    } catch (error) {
      throw new DecodingError('not_started', (error as Error).message);
    }
  }

  /** @throws DecodingError on a timeout, after killing the process */
  async #next(maxMs: number, late: () => DecodingError): Promise<Frame> {
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    if (this.#hasEnded) throw new DecodingError('died', 'the decoder has ended');
    this.#settle = { resolve, reject };
    const timer = setTimeout(() => {
      reject(late());
      this.end();
    }, maxMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#settle = undefined;
    }
  }

  /** If the process got less than half of the CPU time, the machine is to blame. */
  #timeoutError(beforeMs: number | undefined, maxMs: number): DecodingError {
    const nowMs = this.#processorTime();
    const isStarved = beforeMs !== undefined && nowMs !== undefined && nowMs - beforeMs < maxMs / 2;
    return new DecodingError(isStarved ? 'starved' : 'late', `not decoded in ${maxMs} ms`);
  }

  /** Undefined if the system doesn't report it. */
  #processorTime(): number | undefined {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10; // in hundredths of a second
    } catch {
      return undefined;
    }
  }

  /** An idle process doesn't keep the service running. */
  #hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const each of [this.#child, stdin as Socket, stdout as Socket, stderr as Socket]) {
      if (isHeld) each.ref();
      else each.unref();
    }
  }
}
