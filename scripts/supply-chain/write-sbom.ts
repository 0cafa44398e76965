// Writes CycloneDX SBOMs to .data: sbom.cdx.json for production, sbom-development.cdx.json for all packages.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readLockfile } from './lockfile.ts';
import { vendored } from './policy.ts';
import { named, ofProduction, sbomErrors, withDevelopment, withVendored } from './sbom.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.argv[2] ?? '.data';

const { packages } = await readLockfile(root);
const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
});
const versions = new Map(packages.map(({ name, version }) => [name, version]));
const { name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const all = withVendored(withDevelopment(named(JSON.parse(stdout), name), packages), vendored(versions));
await mkdir(folder, { recursive: true });
for (const [file, sbom] of [
  ['sbom.cdx.json', ofProduction(all)],
  ['sbom-development.cdx.json', all],
] as const) {
  const errors = sbomErrors(sbom);
  for (const error of errors.slice(0, 20)) console.error(error);
  if (errors.length > 0) process.exitCode = 1;
  const path = join(folder, file);
  await writeFile(path, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`wrote ${path}: ${sbom.components.length} components, CycloneDX ${sbom.specVersion}`);
}
