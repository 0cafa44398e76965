/** `secrets status` and `secrets rotate`: encryption at rest, by key. */

import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import type { Environment } from '../../platform/config/development.ts';
import type { Database } from '../../platform/db/client.ts';
import { createFolder } from '../../platform/files/context.ts';
import { boundStore } from '../../platform/files/store/bound-store.ts';
import type { StorageConfig } from '../../platform/files/store/storage.ts';
import { fileCounts, rotateFiles } from '../../platform/rotation/files.ts';
import { rotate as rotateSecrets, sealedCounts } from '../../platform/rotation/rotate.ts';
import { withDatabase } from './database.ts';

const withQueue = { usesQueue: true };

/** @throws when used, if it is the folder of another database */
function ownFolder(db: Database, config: StorageConfig) {
  const folder = createFolder(config);
  return folder && boundStore(folder, db);
}

export async function status(environment: Environment, options: OutputOptions): Promise<void> {
  const data = await withDatabase(
    environment,
    async (db, config) => {
      const folder = ownFolder(db, config);
      const files = folder && (await fileCounts(folder, config.encryptsFiles));
      return [...(await sealedCounts(db, config.encryption_keys)), ...(files ? [files] : [])];
    },
    withQueue,
  );
  const rows = data.map(({ name, current, older }) => [name, String(current), String(older)]);
  const remaining = data.reduce((sum, { older }) => sum + older, 0);
  const advice =
    remaining > 0 ? '`secrets rotate` re-encrypts older ones with the first key.' : 'No data needs an older key.';
  print(options, { data }, `${table(['WHAT', 'FIRST KEY', 'OLDER KEYS'], rows, '')}\n${advice}`);
}

export async function rotate(environment: Environment, options: OutputOptions): Promise<void> {
  const { data, unreached } = await withDatabase(
    environment,
    async (db, config) => {
      const folder = ownFolder(db, config);
      const files = folder && (await rotateFiles(folder, config.encryptsFiles));
      const { places: results, unreached } = await rotateSecrets(db, config.encryption_keys);
      return { data: [...results, ...(files ? [files] : [])], unreached };
    },
    { ...withQueue, encrypts: true },
  );
  const rows = data.map(({ name, resealed, unreadable }) => [name, String(resealed), String(unreadable)]);
  print(options, { data, unreached }, table(['WHAT', 'RE-ENCRYPTED', 'UNREADABLE'], rows, ''));
  const unreadable = data.reduce((sum, result) => sum + result.unreadable, 0);
  const remaining = [
    ...(unreadable > 0 ? [`values left unchanged, because no key of ENCRYPTION_KEY decrypts them: ${unreadable}`] : []),
    ...unreached.map(
      ({ company_id: companyId, reason }) => `company ${companyId} may still need an older key: ${reason}`,
    ),
  ];
  if (remaining.length > 0) throw new Error(remaining.join('\n'));
}
