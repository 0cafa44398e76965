/** Finds the tests that the documentation names. */
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

/** The tests in a text such as “`test/a.test.ts`: “one”, “another””. */
export function testsNamedIn(text: string): { file: string; name: string }[] {
  const named = text.matchAll(/`(test\/[\w/.-]+\.test\.ts)`: (“[^”]+”(?:, “[^”]+”)*)/g);
  return [...named].flatMap(([, file, names]) =>
    [...names!.matchAll(/“([^”]+)”/g)].map(([, name]) => ({ file: file!, name: name! })),
  );
}

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
