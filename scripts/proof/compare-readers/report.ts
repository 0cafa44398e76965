/** What came of the comparison, by corpus, and whether all of it is explained. */
import type { Difference } from './compare.ts';
import { refusals, rules } from './rules.ts';

interface Refusal {
  corpus: string;
  file: string;
  refused: string;
  message: string;
  fault?: string;
  /** The other readers that take the file. */
  read_by: string[];
}

interface Read {
  corpus: string;
  file: string;
  /** The other readers that take the file. */
  peers: string[];
  found: Difference[];
  cells: number;
}

/** Of what is not explained, as much is shown for a file. */
const shown_of_a_file = 5;

export class Report {
  readonly #refused: Refusal[] = [];
  readonly #read: (Omit<Read, 'found'> & { by: Set<string>; unexplained: Difference[] })[] = [];
  readonly #used = new Map<string, { cells: number; files: Set<string> }>();
  readonly #missing: { name: string; why: string; is_wanted: boolean }[] = [];

  /** @param is_wanted was asked for by name */
  addMissing(name: string, why: string, is_wanted: boolean): void {
    this.#missing.push({ name, why, is_wanted });
    console.log(`${name}: not to be had here: ${why.split('\n').at(-1)}`);
  }

  addRefusal(refusal: Refusal): void {
    this.#refused.push(refusal);
  }

  addRead({ found, ...read }: Read): void {
    const by = new Set<string>();
    const unexplained: Difference[] = [];
    for (const difference of found) {
      const rule = rules.find((rule) => rule.explains(difference, read.file));
      if (!rule) {
        unexplained.push(difference);
        continue;
      }
      by.add(rule.name);
      const used = this.#used.get(rule.name) ?? { cells: 0, files: new Set() };
      used.cells++;
      this.#used.set(rule.name, { ...used, files: used.files.add(`${read.corpus}/${read.file}`) });
    }
    this.#read.push({ ...read, by, unexplained });
  }

  printCorpus(name: string): void {
    const read = this.#read.filter(({ corpus }) => corpus === name);
    const refused = this.#refused.filter(({ corpus }) => corpus === name);
    const compared = read.filter(({ peers }) => peers.length > 0);
    const differ = compared.filter(({ by, unexplained }) => by.size + unexplained.length > 0);
    const cells = read.reduce((sum, { cells }) => sum + cells, 0);
    console.log(
      `${name}: ${read.length + refused.length} workbooks, ${cells} cells: ${compared.length - differ.length} agree, ` +
        `${differ.length} differ, ${refused.length} refused by us, ${read.length - compared.length} read by us alone`,
    );
  }

  /** @returns whether enough was compared, and everything that differs is explained */
  print(fewest_workbooks: number): boolean {
    const faults = [...this.#printRefusals(), ...this.#printDifferences()];
    const count = this.#read.length + this.#refused.length;
    if (count < fewest_workbooks)
      faults.push(`Only ${count} workbooks were compared; ${fewest_workbooks} are the least.`);
    for (const { name, is_wanted } of this.#missing)
      if (is_wanted) faults.push(`${name} was asked for, and is not here.`);
    const cells = this.#read.reduce((sum, { cells }) => sum + cells, 0);
    console.log(`\n${count} workbooks, no two the same, ${cells} cells.`);
    for (const fault of faults) console.log(fault);
    if (faults.length === 0) console.log('Everything that differs is explained.');
    return faults.length === 0;
  }

  #printRefusals(): string[] {
    const faults: string[] = [];
    console.log('\nRefused by us:');
    const by_reason = Map.groupBy(
      this.#refused,
      ({ refused, message }) => `${refused}: ${message.replace(/"[^"]*"|\d+/g, '…')}`,
    );
    for (const [reason, files] of [...by_reason].sort(([, a], [, b]) => b.length - a.length)) {
      const readable = files.filter(({ read_by }) => read_by.length > 0);
      console.log(`  ${files.length} (${readable.length} of them read by another) ${reason}`);
      for (const refusal of readable) {
        const { corpus, file, read_by, refused, message } = refusal;
        if (refusals.some((rule) => rule.explains(refusal))) continue;
        faults.push(`not explained: ${corpus}/${file} is refused (${refused}: ${message}), but read by ${read_by}`);
      }
    }
    for (const { corpus, file, fault } of this.#refused) {
      if (fault) faults.push(`a mistake of the reader: ${corpus}/${file}: ${fault.slice(0, 300)}`);
    }
    return faults;
  }

  #printDifferences(): string[] {
    console.log('\nDiffer, and why:');
    for (const { name, why } of rules) {
      const used = this.#used.get(name);
      if (used) console.log(`  ${used.cells} cells of ${used.files.size} files: ${name}: ${why}`);
    }
    return this.#read.flatMap(({ corpus, file, unexplained }) =>
      unexplained.slice(0, shown_of_a_file).map(({ sheet, cell, peer, ours, theirs, with_us, against_us }) => {
        const our =
          ours && ('problem' in ours ? [ours.problem.code, ours.problem.text] : [typeof ours.value, ours.value]);
        const [we, they] = fromWhereTheyDiffer(JSON.stringify(our) ?? 'nothing', JSON.stringify(theirs) ?? 'nothing');
        const said = `ours ${we}, ${peer} ${they}, ${with_us} with us, ${against_us} against`;
        return `not explained: ${corpus}/${file} (${unexplained.length}) ${sheet}!${cell}: ${said}`;
      }),
    );
  }
}

/** Long texts, cut down to the place. */
function fromWhereTheyDiffer(a: string, b: string): [string, string] {
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  const from = Math.max(0, at - 30);
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + 90)}`;
  return [cut(a), cut(b)];
}
