/**
 * Fails when a text that people read has a word of the list in `words.ts`: in a file with more of them than `baseline.json` admits.
 * A file that is not in it may have none. RECORD=1 lowers the baseline to what is found, and never raises it.
 */
import { glob, readFile, writeFile } from 'node:fs/promises';
import { sentencesOf } from './texts.ts';
import { rules } from './words.ts';

/** What readers of the project, the API and its commands see. Left out: lists of names that others wrote, and old measurements. */
const readable = [
  '*.md',
  '{docs,deploy,test}/**/*.md',
  'openapi/*.{md,yaml}',
  'openapi/{paths,schemas,responses,parameters}/**/*.yaml',
  'packages/*/{README.md,docs/**/*.md}',
  'src/contract/languages/pt.po',
  '{packages/cli/src,src/api/cli}/**/*.ts',
];
const leftOut = /^docs\/(benchmarks\/(runs|http)|operations\/licenses\.md)|^openapi\/CHANGELOG\.md|node_modules/;

const baselineFile = new URL('baseline.json', import.meta.url);
const baseline = JSON.parse(await readFile(baselineFile, 'utf8')) as Record<string, number>;
const found = new Map<string, string[]>();
for await (const path of glob(readable)) {
  if (leftOut.test(path)) continue;
  const here = sentencesOf(path, await readFile(path, 'utf8')).flatMap(({ line, text }) =>
    rules.flatMap(({ pattern, instead }) => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [`${path}:${line}: "${word}" (write: ${instead}) in: ${text}`];
    }),
  );
  if (here.length > 0) found.set(path, here);
}
const over = [...found].filter(([path, here]) => here.length > (baseline[path] ?? 0));
for (const [path, here] of over) {
  console.error(here.join('\n'));
  console.error(`${path}: ${here.length} found, ${baseline[path] ?? 0} admitted\n`);
}
if (process.env.ALL) for (const here of found.values()) console.log(here.join('\n'));
if (process.env.RECORD) {
  const lower = [...found].map(([path, here]) => [path, Math.min(here.length, baseline[path] ?? 0)] as const);
  const kept = Object.fromEntries(lower.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(baselineFile, `${JSON.stringify(kept, null, 2)}\n`);
}
const total = [...found.values()].flat().length;
console.log(`Prose: ${total} of the listed words in ${found.size} files.`);
if (over.length > 0) process.exitCode = 1;
