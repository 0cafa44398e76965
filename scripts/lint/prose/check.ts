// Fails when a text that people read has a word of the list in words.ts, and prints the sentence and what to write instead.
import { glob, readFile } from 'node:fs/promises';
import { wordsFound } from './rule.ts';

/** What readers of the project, the API, and its commands see. */
const readable = [
  '*.md',
  '{docs,deploy,test}/**/*.md',
  'openapi/*.{md,yaml}',
  'openapi/{paths,schemas,responses,parameters}/**/*.yaml',
  'packages/*/{README.md,docs/**/*.md}',
  'src/contract/languages/pt.po',
  '{packages/cli/src,src/api/cli}/**/*.ts',
];

/** Old measurements, lists of other people's names, and the history of the contract, which is written once. */
const leftOut = /^docs\/(benchmarks\/(runs|http)|operations\/licenses\.md)|^openapi\/CHANGELOG\.md|node_modules/;

const found: string[] = [];
for await (const path of glob(readable)) {
  if (!leftOut.test(path)) found.push(...wordsFound(path, await readFile(path, 'utf8')));
}
for (const each of found.sort()) console.error(each);
if (found.length > 0) process.exitCode = 1;
