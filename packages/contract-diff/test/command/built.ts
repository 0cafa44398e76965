// The compiled package, for tests of the command and the package; all others use the source.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const home = join(import.meta.dirname, '../..');

/** The published command. @throws when the source is newer than the build, which would test outdated code */
export function builtCommand(): string {
  const built = statSync(join(home, 'dist/index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(home, 'src'), { recursive: true, encoding: 'utf8' });
  const newer = sources.find((name) => name.endsWith('.ts') && statSync(join(home, 'src', name)).mtimeMs > built);
  if (newer !== undefined) throw new Error(`src/${newer} is newer than dist/: run \`make build\``);
  return join(home, 'bin/openapi-contract-diff.js');
}
