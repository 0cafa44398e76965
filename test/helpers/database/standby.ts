/** A streaming replica of an embedded Postgres on this machine. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbedded } from '../../../src/platform/embedded/embedded.ts';

/**
 * @param primary folder of the primary, which must be stopped while its files are copied, and must have run since the last copy
 * @param folder of the copy
 */
export async function copyForStandby(primary: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('cp', ['-a', join(primary, 'data'), join(primary, 'connection.json'), folder]);
  await writeFile(join(folder, 'data', 'standby.signal'), '');
}

export function startStandby(folder: string, primaryUrl: string): Promise<EmbeddedPostgres> {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const primaryConninfo = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  return startEmbedded(folder, { primary_conninfo: primaryConninfo, log_statement: 'all' });
}
