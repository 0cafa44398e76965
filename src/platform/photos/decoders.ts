/**
 * A pool of decoder processes, shared fairly between companies. They are reused, because starting one takes longer than most
 * photos.
 */
import { FairSemaphore } from '../fairness/fair-semaphore.ts';
import { DecoderProcess, DecodingError } from './decoder-process.ts';
import type { PlainPhoto } from './plain-photo.ts';

interface Settings {
  /** The number of photos decoded at the same time. */
  at_once: number;
  /** The number of photos in the queue, each of which is in memory. */
  waiting: number;
  waitingPerCompany: number;
  /** The queue timeout. */
  waitMs: number;
  /** The decoding timeout. */
  decodeMs: number;
  /** How long an idle process is kept. */
  idleMs: number;
}

export const decodeS = 10;
/** The decoding timeout during and after shutdown. */
const stopMs = 1_000;
/** Of one process. */
const maxPhotos = 100;

const defaults: Settings = {
  at_once: 2,
  waiting: 50,
  waitingPerCompany: 20,
  waitMs: 30_000,
  decodeMs: decodeS * 1_000,
  idleMs: 60_000,
};

interface Turn {
  company_id: string;
  begin(): void;
  refuse(error: DecodingError): void;
}

export interface PhotoDecodersOptions {
  stopping?: AbortSignal | undefined;
  /** Called when a photo has caused a process to exit. */
  onKilled?(companyId: string, error: DecodingError): void;
  settings?: Partial<Settings>;
}

export class PhotoDecoders {
  readonly #settings: Settings;
  readonly #semaphore: FairSemaphore<Turn>;
  readonly #waiting = new Set<Turn>();
  readonly #idle = new Map<DecoderProcess, NodeJS.Timeout>();
  readonly #running = new Set<AbortController>();
  readonly #onKilled: PhotoDecodersOptions['onKilled'];
  #isStopping = false;

  constructor({ stopping, onKilled, settings }: PhotoDecodersOptions = {}) {
    this.#settings = { ...defaults, ...settings };
    this.#semaphore = new FairSemaphore(this.#settings.at_once);
    this.#onKilled = onKilled;
    stopping?.addEventListener('abort', () => this.stop(), { once: true });
  }

  /** @returns the avatar @throws DecodingError */
  async decode(photo: PlainPhoto, companyId: string): Promise<Buffer> {
    const turn = await this.#turn(companyId);
    const controller = new AbortController();
    this.#running.add(controller);
    try {
      return await this.#decode(photo, controller.signal);
    } catch (error) {
      if (error instanceof DecodingError && killed.has(error.failure)) this.#onKilled?.(companyId, error);
      throw error;
    } finally {
      this.#running.delete(controller);
      this.#semaphore.free(turn, 1);
      this.#beginNext();
    }
  }

  /** Rejects queued photos and kills idle processes; running ones get a short time. */
  stop(): void {
    this.#isStopping = true;
    for (const turn of this.#waiting) turn.refuse(stopped());
    for (const process of this.#idle.keys()) process.end();
    const running = [...this.#running];
    if (running.length === 0) return;
    setTimeout(() => {
      for (const controller of running) controller.abort(stopped());
    }, stopMs);
  }

  /** @throws DecodingError if no process is free in time */
  async #turn(companyId: string): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turn: Turn = { company_id: companyId, begin: resolve, refuse: reject };
    this.#semaphore.wait(turn);
    this.#waiting.add(turn);
    this.#beginNext();
    if (this.#waiting.has(turn) && this.#areTooMany(companyId)) {
      this.#dismiss(turn);
      throw tooMany();
    }
    const timer = setTimeout(() => reject(tooMany()), this.#settings.waitMs);
    try {
      await promise;
      return turn;
    } catch (error) {
      this.#dismiss(turn);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #dismiss(turn: Turn): void {
    this.#waiting.delete(turn);
    this.#semaphore.forget(turn);
  }

  #areTooMany(companyId: string): boolean {
    if (this.#isStopping || this.#waiting.size > this.#settings.waiting) return true;
    const own = [...this.#waiting].filter((turn) => turn.company_id === companyId);
    return own.length > this.#settings.waitingPerCompany;
  }

  #beginNext(): void {
    for (let turn = this.#semaphore.next(); turn; turn = this.#semaphore.next()) {
      this.#waiting.delete(turn);
      this.#semaphore.acquire(turn, 1);
      turn.begin();
    }
  }

  async #decode(photo: PlainPhoto, signal: AbortSignal): Promise<Buffer> {
    const process = this.#claimIdle() ?? new DecoderProcess((ended) => this.#forget(ended));
    try {
      return await process.decode(photo, this.#isStopping ? stopMs : this.#settings.decodeMs, signal);
    } catch (error) {
      throw this.#isStopping && !isDamaged(error) ? stopped() : error; // it might have succeeded with the usual timeout
    } finally {
      if (this.#isStopping || process.photos >= maxPhotos) process.end();
      else if (!process.hasEnded) this.#addIdle(process);
    }
  }

  /** The most recently used, so that the others time out. */
  #claimIdle(): DecoderProcess | undefined {
    const process = [...this.#idle.keys()].findLast(({ hasEnded }) => !hasEnded);
    if (process) this.#forget(process);
    return process;
  }

  #addIdle(process: DecoderProcess): void {
    this.#idle.set(process, setTimeout(() => process.end(), this.#settings.idleMs).unref());
  }

  #forget(process: DecoderProcess): void {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
  }
}

const killed = new Set(['died', 'late', 'starved']);

function isDamaged(error: unknown): boolean {
  return error instanceof DecodingError && error.failure === 'damaged';
}

function stopped(): DecodingError {
  return new DecodingError('ended', 'the service is stopping');
}

function tooMany(): DecodingError {
  return new DecodingError('busy', 'too many photos are waiting');
}
