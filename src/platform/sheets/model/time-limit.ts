/** Limits the time for one file, because a small crafted file could take hours: CPU time, so that a busy machine rejects none. */
import { t } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';
import type { ReadLimits, Row } from './types.ts';

export class Effort {
  readonly #limits: ReadLimits;
  readonly #startedMs = spentMs();
  #values = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** Every value read extends the limit. */
  add(rows: readonly Row[]): void {
    for (const { cells } of rows) for (const cell of cells) if (cell !== null) this.#values++;
  }

  /** Called repeatedly while reading. @throws SheetError when the limit is exceeded */
  check(): void {
    const { effortMs, effortOfValueMs } = this.#limits;
    if (spentMs() - this.#startedMs > effortMs + this.#values * effortOfValueMs) throw timeLimitExceeded();
  }
}

export function timeLimitExceeded(): SheetError {
  return new SheetError('takes_too_long', t`The file takes too long to be read.`);
}

/** Of this thread. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
