/** Downloads the tools of a client once, and again when their versions change. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SdkClient } from './client.ts';

/**
 * @param tools the folder of this client's tools
 * @throws what the registry or its client says
 */
export async function install(client: Pick<SdkClient, 'generator' | 'install'>, tools: string): Promise<void> {
  const stamp = join(tools, '.installed');
  const installed = await readFile(stamp, 'utf8').catch(() => '');
  // A folder that was moved is installed anew: virtual environments hold their own path.
  const wanted = `${client.generator}\n${tools}\n`;
  if (installed === wanted) return;
  await rm(tools, { recursive: true, force: true });
  await mkdir(tools, { recursive: true });
  await client.install(tools);
  await writeFile(stamp, wanted);
}
