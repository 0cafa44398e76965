/** Whether the tests that the documentation names exist. */
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

export function nameFound(file: string, name: string): boolean {
  const at = new URL(file, root);
  return existsSync(at) && namesIn(readFileSync(at, 'utf8')).some((each) => each.includes(name));
}

/** Test titles: the first argument of `test` and `describe`, also after `.each`, and the first cell of table rows. */
function namesIn(source: string): string[] {
  const before = [/\b(?:test|describe)\w*\(\s*/, /\)\(\s*/, /^\s*\[\s*/];
  const quoted = /(['"`])((?:(?!\1).)+)\1/;
  return before
    .flatMap((start) => [...source.matchAll(new RegExp(start.source + quoted.source, 'gm'))])
    .map(([, , name]) => name!);
}
