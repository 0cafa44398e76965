/**
 * Places for work of companies in this process, such as webhook requests or exports, and who is next to have one.
 *
 * A company may take a place while it has fewer than are free. So one whose work does not end holds half of the places, a
 * second one a quarter, and whoever comes next finds a free one. Between the companies it goes round, and so it does within
 * each of them: who had a turn waits behind all others.
 */
export class Places<Line extends { company_id: string }> {
  readonly #total: number;
  #taken = 0;
  readonly #takenByCompany = new Map<string, number>();
  /** Those who wait, by company; each map and set in the order of their turns. */
  readonly #waiting = new Map<string, Set<Line>>();

  constructor(total: number) {
    this.#total = total;
  }

  get taken(): number {
    return this.#taken;
  }

  /** How many places a company may take now. */
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

  /** Who waits already keeps its turn. */
  wait(line: Line): void {
    const lines = this.#waiting.get(line.company_id);
    if (lines) lines.add(line);
    else this.#waiting.set(line.company_id, new Set([line]));
  }

  /** It waits no longer. */
  forget(line: Line): void {
    const lines = this.#waiting.get(line.company_id);
    lines?.delete(line);
    if (lines?.size === 0) this.#waiting.delete(line.company_id);
  }

  /** @returns who is next among those for whom there is room; they do not wait any more */
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
