/** `backup` and `restore`. */

import { type CliContext, pathAt } from '../../../packages/cli/src/terminal/context.ts';
import { interruptible } from '../../../packages/cli/src/terminal/interrupt.ts';
import { note, type OutputOptions, print } from '../../../packages/cli/src/terminal/output.ts';
import { progressBar } from '../../../packages/cli/src/terminal/progress-bar.ts';
import type { Manifest } from '../../platform/backup/manifest.ts';
import { restoreBackup } from '../../platform/backup/restore.ts';
import { type BackupOptions, writeBackup } from '../../platform/backup/take.ts';
import { createStorage } from '../../platform/files/context.ts';
import { requireUsableDatabase } from '../../platform/schema/fitness/refuse-unfit.ts';
import { withDatabaseUrl } from './database.ts';

export async function backup(context: CliContext, path: string, options: OutputOptions): Promise<void> {
  const target = pathAt(context, path);
  const manifest = await withProgress((progressOptions) =>
    withDatabaseUrl(context.environment, (url, config) =>
      writeBackup({
        url,
        storage: createStorage(config),
        encryption_keys: config.encryption_keys,
        target,
        ...progressOptions,
      }),
    ),
  );
  const { missing } = manifest.files;
  if (missing.length > 0) {
    note(`warning: ${missing.length} referenced files were missing from the storage: ${missing[0]} …`);
  }
  print(options, { backup: { path, ...summary(manifest) } }, `Backup   ${path}\n${describe(manifest)}`);
}

export async function restore(
  context: CliContext,
  path: string,
  options: OutputOptions & { force?: boolean },
): Promise<void> {
  const source = pathAt(context, path);
  const { manifest, migrated, distributed } = await withProgress((progressOptions) =>
    withDatabaseUrl(context.environment, async (url, config) => {
      await requireUsableDatabase({ ownerUrl: url, directUrl: url });
      const { encryption_keys: encryptionKeys } = config;
      const { force = false } = options;
      return restoreBackup({
        url,
        storage: createStorage(config),
        encryption_keys: encryptionKeys,
        source,
        force,
        ...progressOptions,
      });
    }),
  );
  const migrationLine = migrated.length > 0 ? `\nMigrated ${migrated.join(', ')}` : '';
  const distributionLine = distributed ? '\nRedistributed over the cluster' : '';
  const data = { restored: { path, ...summary(manifest), migrated, distributed } };
  print(options, data, `Restored ${path}\n${describe(manifest)}${migrationLine}${distributionLine}`);
}

type ProgressOptions = Pick<BackupOptions, 'signal' | 'onProgress'>;

async function withProgress<T>(work: (progressOptions: ProgressOptions) => Promise<T>): Promise<T> {
  const bar = progressBar();
  try {
    return await interruptible((signal) => work({ signal, onProgress: bar.update }));
  } finally {
    bar.end();
  }
}

function summary({ version, taken_at: takenAt, postgres, migrations, tables, jobs, files }: Manifest) {
  return {
    version,
    taken_at: takenAt,
    postgres,
    migration: migrations.at(-1)?.name,
    rows: Object.fromEntries(tables.map(({ table, rows }) => [table, rows])),
    jobs: jobs.rows,
    files: files.count,
    files_bytes: files.totalBytes,
    files_missing: files.missing.length,
  };
}

function describe(manifest: Manifest): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { files } = manifest;
  return [
    `Of       ${manifest.taken_at}, version ${manifest.version}, Postgres ${manifest.postgres}`,
    `Rows     ${rows} in ${manifest.tables.length} tables, ${manifest.jobs.rows} jobs`,
    `Files    ${files.count} (${files.totalBytes} bytes)`,
  ].join('\n');
}
