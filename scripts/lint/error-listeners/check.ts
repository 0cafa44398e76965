// Fails when code in src creates an emitter without an 'error' listener.
import { glob, readFile } from 'node:fs/promises';
import { emittersWithoutListener } from './rule.ts';

const found: string[] = [];
for await (const path of glob('src/**/*.ts'))
  found.push(...emittersWithoutListener(path, await readFile(path, 'utf8')));
for (const each of found.sort()) console.error(each);
if (found.length > 0) process.exitCode = 1;
