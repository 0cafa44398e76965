/** openapi-generator, which has a generator per language in one jar. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, type Folders, maven, needsCommand, run } from './client.ts';

const version = '7.25.0';
const tools = join(cache, `openapi-generator-${version}`);
const jar = join(tools, `openapi-generator-cli-${version}.jar`);

export const openapiGenerator = `openapi-generator ${version}`;
export const needsJava = [needsCommand('java'), needsCommand('mvn')];

/** Downloads it with Maven, once for all languages. */
export async function installOpenapiGenerator(): Promise<void> {
  if (existsSync(jar)) return;
  await mkdir(tools, { recursive: true });
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${version}`;
  await maven(['dependency:copy', artifact, `-DoutputDirectory=${tools}`], tools);
}

interface Options {
  /** Passed as `--additional-properties`. */
  properties?: Record<string, string | boolean>;
  flags?: string[];
}

/** Generates a client into `client` in the work folder. @param language name of the generator */
export async function generateClient(
  { work, document }: Folders,
  language: string,
  { properties = {}, flags = [] }: Options = {},
): Promise<void> {
  await copyFile(document, join(work, 'openapi.json')); // it can't read from a path with spaces
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${value}`);
  const more = pairs.length > 0 ? ['--additional-properties', pairs.join(',')] : [];
  const args = ['-jar', jar, 'generate', '-g', language, '-i', 'openapi.json', '-o', 'client', ...flags, ...more];
  await run('java', args, { cwd: work });
}
