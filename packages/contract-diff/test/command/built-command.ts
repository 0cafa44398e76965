// The compiled package, for tests of the command and the package; all other tests use the source.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const packageRoot = join(import.meta.dirname, '../..');

/** The published command. @throws Error if the source is newer than the build, because tests would run outdated code */
export function builtCommand(): string {
  const built = statSync(join(packageRoot, 'dist/index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(packageRoot, 'src'), { recursive: true, encoding: 'utf8' });
  const newer = sources.find(
    (name) => name.endsWith('.ts') && statSync(join(packageRoot, 'src', name)).mtimeMs > built,
  );
  if (newer !== undefined) throw new Error(`src/${newer} is newer than dist/: run \`make build\``);
  return join(packageRoot, 'bin/openapi-contract-diff.js');
}
