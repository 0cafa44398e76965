/**
 * The command line as an npm package, `/cli.tgz`. The service packs it from `packages/cli`, so it needs no registry and has the
 * service's version. The archive is reproducible: the same sources give the same integrity hash.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { gzipSync } from 'node:zlib';
import { once } from '../http/responses/published.ts';

const packageFolder = new URL('../../../packages/cli/', import.meta.url);

/** The fields of package.json that installing needs. */
const publishedFields = ['name', 'version', 'description', 'license', 'type', 'bin', 'engines', 'dependencies'];

export const hasCli = existsSync(new URL('package.json', packageFolder));

export const cliArchive = once((): Buffer => {
  const manifest = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as Record<string, unknown>;
  const publishedManifest = Object.fromEntries(publishedFields.map((field) => [field, manifest[field]]));
  const sources = readdirSync(new URL('src/', packageFolder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const files = new Map<string, string>([
    ['package/package.json', JSON.stringify({ ...publishedManifest, exports: './dist/index.js' }, null, 2)],
    ['package/LICENSE', readFileSync(new URL('LICENSE', packageFolder), 'utf8')],
    ['package/bin/collaborators.js', readFileSync(new URL('bin/collaborators.js', packageFolder), 'utf8')],
  ]);
  for (const name of sources.map((path) => path.replaceAll('\\', '/')).sort()) {
    const code = javascriptOf(readFileSync(new URL(`src/${name}`, packageFolder), 'utf8'));
    files.set(`package/dist/${name.replace(/\.ts$/, '.js')}`, code);
  }
  return gzipSync(tar(files), { level: 9 });
});

/** In npm's format (Subresource Integrity): `sha512-` and Base64. */
export const cliIntegrity = once(() => `sha512-${createHash('sha512').update(cliArchive()).digest('base64')}`);

/** Strips the types, because Node runs no TypeScript below node_modules. */
function javascriptOf(source: string): string {
  const code = withoutWarning(() => stripTypeScriptTypes(source));
  return code.replaceAll(/((?:from|import) '\.[^']*|import\('\.[^']*)\.ts'/g, "$1.js'");
}

/** Suppresses Node's experimental warning, which operators can't act on. */
function withoutWarning<T>(run: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const blockBytes = 512;

/** A tar file (POSIX.1-1988, ustar) with paths of at most 100 bytes, and without timestamps or owners. */
function tar(files: ReadonlyMap<string, string>): Buffer {
  const parts = [...files].flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const paddingBytes = (blockBytes - (content.length % blockBytes)) % blockBytes;
    return [header(path, content.length), content, Buffer.alloc(paddingBytes)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]);
}

function header(path: string, bytes: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar file`);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const block = Buffer.alloc(blockBytes);
  block.write(path, 0);
  block.write(octal(path.startsWith('package/bin/') ? 0o755 : 0o644, 7), 100);
  block.write(octal(0, 7) + octal(0, 7) + octal(bytes, 11) + octal(0, 11), 108);
  block.write('        0', 148); // the checksum field counts as spaces; then the type: a file
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)} `, 148);
  return block;
}
