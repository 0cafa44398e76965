// Writes .data/sbom.cdx.json, the bill of materials (CycloneDX): every package of the lockfile, and what is vendored.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readLockfile } from './lockfile.ts';
import { vendored } from './policy.ts';
import { sbomFaults, withDevelopment, withVendored } from './sbom.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = process.argv[2] ?? '.data/sbom.cdx.json';

const { packages } = await readLockfile(root);
const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
});
const versions = new Map(packages.map(({ name, version }) => [name, version]));
const sbom = withVendored(withDevelopment(JSON.parse(stdout), packages), vendored(versions));
const faults = sbomFaults(sbom);
if (faults.length > 0) {
  for (const fault of faults.slice(0, 20)) console.error(fault);
  process.exitCode = 1;
} else {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`wrote ${file}: ${sbom.components.length} components, CycloneDX ${sbom.specVersion}`);
}
