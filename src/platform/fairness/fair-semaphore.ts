/**
 * A semaphore that is fair between companies, for work such as webhook requests or exports in this process.
 *
 * A company may take more permits while it holds fewer than are free. So one company with hanging work holds half of them, a
 * second one a quarter, and the next company still finds a free one. Waiters are served round-robin between companies, and within
 * each of them.
 */
export class FairSemaphore<Line extends { company_id: string }> {
  readonly #total: number;
  #taken = 0;
  readonly #takenByCompany = new Map<string, number>();
  /** Waiters by company; maps and sets are in order of their turns. */
  readonly #waiting = new Map<string, Set<Line>>();

  constructor(total: number) {
    this.#total = total;
  }

  get taken(): number {
    return this.#taken;
  }

  /** How many permits a company may take now. */
  roomFor(companyId: string): number {
    const free = this.#total - this.#taken;
    const own = this.#takenByCompany.get(companyId) ?? 0;
    return own < free ? Math.max(1, Math.floor((free - own) / 2)) : 0;
  }

  take({ company_id: companyId }: Line, count: number): void {
    this.#taken += count;
    this.#takenByCompany.set(companyId, (this.#takenByCompany.get(companyId) ?? 0) + count);
  }

  free({ company_id: companyId }: Line, count: number): void {
    this.#taken -= count;
    const left = this.#takenByCompany.get(companyId)! - count;
    if (left > 0) this.#takenByCompany.set(companyId, left);
    else this.#takenByCompany.delete(companyId);
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
    if (this.#taken >= this.#total) return undefined;
    for (const [companyId, lines] of this.#waiting) {
      if (this.roomFor(companyId) === 0) continue;
      const [line] = lines;
      lines.delete(line!);
      this.#waiting.delete(companyId);
      if (lines.size > 0) this.#waiting.set(companyId, lines); // after all others
      return line;
    }
    return undefined;
  }
}
