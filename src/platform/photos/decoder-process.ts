/**
 * A process that decodes photos, one after the other. Image libraries allocate memory that no limit of Node covers, and
 * can't be interrupted: a process can be limited by the kernel, and killed.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { answer, answerReader, type Frame, frame, request } from './frames.ts';
import type { PlainPhoto } from './plain-photo.ts';
import { isWebp } from './webp.ts';

/** Of all memory of the process, native memory too. */
export const decoderMemoryMb = 512;
/** To be ready; a machine that needs longer has no time for photos. */
const startMs = 20_000;

/**
 * `damaged`: it is no picture. `died`: so did the process, or it has not enough memory. `late`: it took too long, or
 * `starved`: the machine had no time for it. `ended`: nobody waits any more.
 */
type DecodingFault = 'damaged' | 'died' | 'late' | 'starved' | 'not_started' | 'ended' | 'busy';

export class DecodingError extends Error {
  override name = 'DecodingError';
  readonly fault: DecodingFault;

  constructor(fault: DecodingFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

const script = fileURLToPath(new URL('./decoder-main.js', import.meta.url));
/**
 * `--jitless`: without room for compiled code, which V8 reserves and the kernel counts, the limit is exact. And what the
 * library is made to do can write no code.
 */
const flags = ['--jitless', '--max-old-space-size=64', '--v8-pool-size=1'];
/** Nothing of the service's environment: it has secrets. */
const environment = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
const shell = '/bin/sh';
/** The limits stay when the shell becomes the process. Where one can't be set, the process watches itself. */
const limits = `ulimit -c 0; ulimit -d ${decoderMemoryMb * 1024}; exec "$0" "$@"`;

export class DecoderProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ready: Promise<void>;
  /** Settles what is waited for now. */
  #settle: { resolve(found: Frame): void; reject(error: DecodingError): void } | undefined;
  #told = '';
  #hasEnded = false;
  /** Photos that it was given. */
  photos = 0;

  /** @param onEnd when it has ended, for whatever reason */
  constructor(onEnd: (process: DecoderProcess) => void) {
    const program = [process.execPath, ...flags, script, String(decoderMemoryMb * 1024 * 1024)];
    const [command, ...args] = existsSync(shell) ? [shell, '-c', limits, ...program] : program;
    const gone = (why: string) => {
      this.#hasEnded = true;
      this.#settle?.reject(new DecodingError('died', `the decoder ended: ${why} ${this.#told}`.trim()));
      onEnd(this);
    };
    const child = spawn(command!, args, { env: environment, stdio: 'pipe' });
    child.on('error', (error) => gone(error.message));
    child.once('exit', (code, signal) => gone(signal ?? `exit code ${code}`));
    this.#child = child;
    const { stdin, stdout, stderr } = child;
    const read = answerReader((found) => this.#settle?.resolve(found));
    stdout.on('data', (piece: Buffer) => {
      try {
        read(piece);
      } catch {
        this.end(); // speaks no more as a decoder does
      }
    });
    stderr.on('data', (text: Buffer) => {
      this.#told = (this.#told + text).slice(-1_000);
    });
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {}); // the process ends as well
    this.#ready = this.#start();
    this.#ready.catch(() => {}); // told to the first photo
    this.#hold(false);
  }

  /**
   * @param signal kills the process
   * @returns what the process says is the avatar
   * @throws DecodingError
   */
  async decode({ bytes, is_strict: isStrict }: PlainPhoto, mostMs: number, signal: AbortSignal): Promise<Buffer> {
    const onAbort = () => this.end();
    signal.addEventListener('abort', onAbort);
    this.#hold(true);
    this.photos++;
    try {
      await this.#ready;
      if (signal.aborted) throw new DecodingError('ended', 'nobody waits for the photo');
      const beforeMs = this.#processorTime();
      const late = () => this.#lateness(beforeMs, mostMs);
      this.#child.stdin.write(frame(isStrict ? request.decodeStrictly : request.decode, bytes));
      const { kind, content } = await this.#next(mostMs, late);
      if (kind === answer.avatar && isWebp(content)) return Buffer.from(content);
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

  /** At once, whatever it does. */
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

  /** @throws DecodingError when there is no answer in time, and ends the process then */
  async #next(mostMs: number, late: () => DecodingError): Promise<Frame> {
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    if (this.#hasEnded) throw new DecodingError('died', 'the decoder has ended');
    this.#settle = { resolve, reject };
    const timer = setTimeout(() => {
      reject(late());
      this.end();
    }, mostMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#settle = undefined;
    }
  }

  /** Of one that had the processor for less than half of the time, the machine is to blame. */
  #lateness(beforeMs: number | undefined, mostMs: number): DecodingError {
    const nowMs = this.#processorTime();
    const isStarved = beforeMs !== undefined && nowMs !== undefined && nowMs - beforeMs < mostMs / 2;
    return new DecodingError(isStarved ? 'starved' : 'late', `not decoded in ${mostMs} ms`);
  }

  /** Undefined where the system does not tell it. */
  #processorTime(): number | undefined {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10; // in hundredths of a second
    } catch {
      return undefined;
    }
  }

  /** An idle process keeps nobody from ending. */
  #hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const each of [this.#child, stdin as Socket, stdout as Socket, stderr as Socket]) {
      if (isHeld) each.ref();
      else each.unref();
    }
  }
}
