// Downloads the browser bundle of the API reference (Scalar) into src/api/docs/scalar; optionally a given version.
//
// Vendored instead of a dependency, because the package brings about 180 others (280 MB) that only its build needs. The manifest
// records the file, and test/system/docs/reference.test.ts verifies it.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const run = promisify(execFile);
const target = new URL('../../src/api/docs/scalar/', import.meta.url);
const manifestFile = new URL('manifest.json', target);
const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { package: string; version: string };
const version = process.argv[2] ?? manifest.version;

const folder = await mkdtemp(join(tmpdir(), 'scalar-'));
try {
  const { stdout } = await run('npm', ['pack', `${manifest.package}@${version}`, '--json', '--loglevel=error'], {
    cwd: folder,
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string; integrity: string; version: string }];
  await run('tar', ['-xzf', packed.filename], { cwd: folder });
  const bundle = await readFile(join(folder, 'package/dist/browser/standalone.js'));
  await writeFile(new URL('standalone.js.gz', target), gzipSync(bundle, { level: 9 }));
  const made = {
    package: manifest.package,
    version: packed.version,
    tarball_integrity: packed.integrity,
    file: 'dist/browser/standalone.js',
    sha256: createHash('sha256').update(bundle).digest('hex'),
  };
  await writeFile(manifestFile, `${JSON.stringify(made, null, 2)}\n`);
  console.log(`${made.package} ${made.version}: ${bundle.length} bytes, sha256 ${made.sha256}`);
} finally {
  await rm(folder, { recursive: true });
}
