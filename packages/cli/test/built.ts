// What was compiled, for tests of the package: those of all else read the source.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package. */
export const home = join(import.meta.dirname, '..');

/** @throws when the source has changed since it was compiled: that would test the code of before */
export function builtPackage(): void {
  const built = statSync(join(home, 'dist/index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(home, 'src'), { recursive: true, encoding: 'utf8' });
  const newer = sources.find((name) => name.endsWith('.ts') && statSync(join(home, 'src', name)).mtimeMs > built);
  if (newer !== undefined) throw new Error(`src/${newer} is newer than dist/: run \`make build\``);
}
