// Merges the runs of `make bench NAME=all` into docs/benchmarks/runs/README.md: each number becomes the median over all runs,
// with minimum and maximum. Numbers are often medians of a run already; the run's own file has their range.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { rangeOf } from './figures.ts';

const folder = new URL('../../../docs/benchmarks/runs/', import.meta.url);
const rangeWithinRun = / \([\d.,]+–[\d.,]+\)/g;
const number = /\d+(?:,\d{3})*(?:\.\d+)?/g;

const names = (await readdir(folder)).filter((name) => /^\d+\.md$/.test(name)).toSorted();
const runs = await Promise.all(names.map(async (name) => linesOf(await readFile(new URL(name, folder), 'utf8'))));
const [first = new Map(), ...others] = runs;
const mergedLines = [...first].map(([key, line]) => merged([line, ...others.flatMap((run) => run.get(key) ?? [])]));
const head = `# ${names.length} runs of all benchmarks

Each number is the median of ${names.map((name) => `[${name}](${name})`).join(', ')}, with their minimum and maximum. Made by
\`scripts/bench/harness/together.ts\`.`;
await writeFile(new URL('README.md', folder), `${[head, ...mergedLines.slice(1)].join('\n').trim()}\n`);

/** Keys lines by their text without numbers and their section, so that a line missing in one run doesn't shift the others. */
function linesOf(page: string): Map<string, string> {
  const lines = new Map<string, string>();
  let section = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('#')) section = line;
    const words = `${section}\n${line.replace(rangeWithinRun, '').replace(number, '#').replace(/ +/g, ' ')}`;
    let key = words;
    for (let occurrence = 2; lines.has(key); occurrence++) key = `${words}\n${occurrence}`;
    lines.set(key, line.replace(rangeWithinRun, ''));
  }
  return lines;
}

function merged(lines: readonly string[]): string {
  const numbers = lines.map((line) => line.match(number) ?? []);
  let at = 0;
  return lines[0]!.replace(number, (numberText) => {
    const all = numbers.map((ofLine) => ofLine[at]!);
    at++;
    if (all.every((each) => each === numberText)) return numberText;
    const { least, most } = rangeOf(all.map(value));
    const [from, to] = [least, most].map((bound) => all.find((each) => value(each) === bound)!);
    return `${all.toSorted((a, b) => value(a) - value(b))[all.length >> 1]} (${from}–${to})`;
  });
}

function value(numberText: string): number {
  return Number(numberText.replaceAll(',', ''));
}
