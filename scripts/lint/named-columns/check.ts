// Fails when a statement in src selects all columns.
import { glob, readFile } from 'node:fs/promises';
import { unnamedColumns } from './rule.ts';

const found: string[] = [];
for await (const path of glob('src/**/*.ts')) found.push(...unnamedColumns(path, await readFile(path, 'utf8')));
for (const each of found.sort()) console.error(each);
if (found.length > 0) process.exitCode = 1;
