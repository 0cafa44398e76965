/** Comparison results by corpus, and whether every difference is explained. */
import type { Difference } from './compare.ts';
import { refusals, rules } from './rules.ts';

interface Refusal {
  corpus: string;
  file: string;
  refused: string;
  message: string;
  fault?: string;
  /** Other readers that accept the file. */
  readBy: string[];
}

interface Read {
  corpus: string;
  file: string;
  /** Other readers that accept the file. */
  peers: string[];
  found: Difference[];
  cells: number;
}

type Compared = Omit<Read, 'found'> & {
  /** Names of the rules that explain the differences. */
  by: Set<string>;
  unexplained: Difference[];
};

/** Unexplained differences to print per file. */
const maxPrintedPerFile = 5;

export class Report {
  readonly #refused: Refusal[] = [];
  readonly #read: Compared[] = [];
  readonly #used = new Map<string, { cells: number; files: Set<string> }>();
  readonly #missing: { name: string; isRequested: boolean }[] = [];
  #problems = 0;

  /** @param isRequested requested by name */
  addMissing(name: string, explanation: string, isRequested: boolean): void {
    this.#missing.push({ name, isRequested });
    console.log(`${name}: not available: ${explanation.split('\n').at(-1)}`);
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
    for (const problem of [...refused.flatMap(unexplainedRefusal), ...read.flatMap(unexplainedDifferences)]) {
      console.log(`  NOT EXPLAINED: ${problem}`);
      this.#problems++;
    }
  }

  /** @returns whether enough was compared, and every difference is explained */
  print(minWorkbooks: number): boolean {
    this.#printRefusals();
    this.#printRules();
    const count = this.#read.length + this.#refused.length;
    const cells = this.#read.reduce((sum, { cells }) => sum + cells, 0);
    const missingRequested = this.#missing.filter(({ isRequested }) => isRequested).map(({ name }) => name);
    console.log(`\n${count} different workbooks, ${cells} cells.`);
    if (count < minWorkbooks) console.log(`Too few: at least ${minWorkbooks} are required.`);
    if (missingRequested.length > 0) console.log(`Requested but missing: ${missingRequested.join(', ')}.`);
    console.log(this.#problems > 0 ? `${this.#problems} are unexplained.` : 'All differences are explained.');
    return this.#problems === 0 && missingRequested.length === 0 && count >= minWorkbooks;
  }

  #printRefusals(): void {
    console.log('\nRejected by us:');
    const reasonOf = ({ refused, message }: Refusal) => `${refused}: ${message.replace(/"[^"]*"|\d+/g, '…')}`;
    const byReason = [...Map.groupBy(this.#refused, reasonOf)].sort(([, a], [, b]) => b.length - a.length);
    for (const [reason, files] of byReason) {
      const readable = files.filter(({ readBy }) => readBy.length > 0);
      console.log(`  ${files.length} (${readable.length} of them read by another) ${reason}`);
    }
    for (const { explanation, explains } of refusals) {
      const explained = this.#refused.filter((refusal) => refusal.readBy.length > 0 && explains(refusal));
      if (explained.length > 0) console.log(`  ${explained.length} that another reads: ${explanation}`);
    }
  }

  #printRules(): void {
    console.log('\nDifferences and reasons:');
    for (const { name, explanation } of rules) {
      const used = this.#used.get(name);
      if (used) console.log(`  ${used.cells} cells of ${used.files.size} files: ${name}: ${explanation}`);
    }
  }
}

function unexplainedRefusal(refusal: Refusal): string[] {
  const { file, readBy, refused, message, fault: problem } = refusal;
  if (problem) return [`a mistake of the reader: ${file}: ${problem.slice(0, 300)}`];
  if (readBy.length === 0 || refusals.some((rule) => rule.explains(refusal))) return [];
  return [`${file} is refused (${refused}: ${message}), but read by ${readBy}`];
}

function unexplainedDifferences({ file, unexplained }: Compared): string[] {
  return unexplained.slice(0, maxPrintedPerFile).map(({ sheet, cell, peer, ours, theirs, withUs, againstUs }) => {
    const ownValue =
      ours && ('problem' in ours ? [ours.problem.code, ours.problem.text] : [typeof ours.value, ours.value]);
    const [ownText, peerText] = fromWhereTheyDiffer(
      JSON.stringify(ownValue) ?? 'nothing',
      JSON.stringify(theirs) ?? 'nothing',
    );
    const comparison = `ours ${ownText}, ${peer} ${peerText}, ${withUs} with us, ${againstUs} against`;
    return `${file} (${unexplained.length}) ${sheet}!${cell}: ${comparison}`;
  });
}

/** Trims long texts to where they differ. */
function fromWhereTheyDiffer(a: string, b: string): [string, string] {
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  const from = Math.max(0, at - 30);
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + 90)}`;
  return [cut(a), cut(b)];
}
