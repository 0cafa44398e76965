/** Downloads a client's tools once per version. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SdkClient } from './client.ts';

/**
 * @param tools folder of this client's tools
 * @throws the error of the registry or its client
 */
export async function install(client: Pick<SdkClient, 'generator' | 'install'>, tools: string): Promise<void> {
  const stamp = join(tools, '.installed');
  const installed = await readFile(stamp, 'utf8').catch(() => '');
  // Reinstall after moving the folder, because virtual environments contain absolute paths.
  const expected = `${client.generator}\n${tools}\n`;
  if (installed === expected) return;
  await rm(tools, { recursive: true, force: true });
  await mkdir(tools, { recursive: true });
  await client.install(tools);
  await writeFile(stamp, expected);
}
