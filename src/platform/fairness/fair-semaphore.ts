/**
 * A semaphore that is fair between companies, for work such as webhook requests or exports in this process.
 *
 * A company may take more permits while it holds fewer than are free. So one company with hanging work holds half of them, a
 * second one a quarter, and the next company still finds a free one. Waiters are served round-robin between companies, and within
 * each of them.
 */
export class FairSemaphore<Line extends { company_id: string }> {
  readonly #total: number;
  #used = 0;
  readonly #usedByCompany = new Map<string, number>();
  /** Waiters by company; maps and sets are in order of their turns. */
  readonly #waiting = new Map<string, Set<Line>>();

  constructor(total: number) {
    this.#total = total;
  }

  get used(): number {
    return this.#used;
  }

  /** How many permits a company may take now. */
  availableTo(companyId: string): number {
    const free = this.#total - this.#used;
    const own = this.#usedByCompany.get(companyId) ?? 0;
    return own < free ? Math.max(1, Math.floor((free - own) / 2)) : 0;
  }

  acquire({ company_id: companyId }: Line, count: number): void {
    this.#used += count;
    this.#usedByCompany.set(companyId, (this.#usedByCompany.get(companyId) ?? 0) + count);
  }

  free({ company_id: companyId }: Line, count: number): void {
    this.#used -= count;
    const remaining = this.#usedByCompany.get(companyId)! - count;
    if (remaining > 0) this.#usedByCompany.set(companyId, remaining);
    else this.#usedByCompany.delete(companyId);
  }

  /** A waiter keeps its turn if it already waits. */
  wait(line: Line): void {
    const lines = this.#waiting.get(line.company_id);
    if (lines) lines.add(line);
    else this.#waiting.set(line.company_id, new Set([line]));
  }

  forget(line: Line): void {
    const lines = this.#waiting.get(line.company_id);
    lines?.delete(line);
    if (lines?.size === 0) this.#waiting.delete(line.company_id);
  }

  /** @returns the next waiter whose company may take a permit, removed from the queue */
  next(): Line | undefined {
    if (this.#used >= this.#total) return undefined;
    for (const [companyId, lines] of this.#waiting) {
      if (this.availableTo(companyId) === 0) continue;
      const [line] = lines;
      lines.delete(line!);
      this.#waiting.delete(companyId);
      if (lines.size > 0) this.#waiting.set(companyId, lines); // after all others
      return line;
    }
    return undefined;
  }
}
