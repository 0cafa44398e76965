// Prose linter: fails when user-facing text has a pattern of words.ts, and prints the sentence with a suggestion.
import { glob, readFile } from 'node:fs/promises';
import { wordsFound } from './rule.ts';

/** User-facing files of the project, the API, and its commands. */
const readable = [
  '*.md',
  '{docs,deploy,test}/**/*.md',
  'openapi/*.{md,yaml}',
  'openapi/{paths,schemas,responses,parameters}/**/*.yaml',
  '.github/**/*.{md,yml}',
  'docs/guides/**/*.js',
  'packages/*/{action.yml,README.md,docs/**/*.md}',
  'src/contract/languages/pt.po',
  '{src,packages/*/src,packages/contract-diff/test/cases,scripts/demo,scripts/run}/**/*.{ts,tsx}',
  'deploy/**/*.yaml',
];

/** Benchmark results, third-party names, and published changelogs, which don't change anymore. */
const excluded = /^docs\/(benchmarks\/(runs|http)|operations\/licenses\.md)|^openapi\/CHANGELOG\.md|node_modules/;

const found: string[] = [];
for await (const path of glob(readable)) {
  if (!excluded.test(path)) found.push(...wordsFound(path, await readFile(path, 'utf8')));
}
for (const each of found.sort()) console.error(each);
if (found.length > 0) process.exitCode = 1;
