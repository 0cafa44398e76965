/** `database migrate`: runs only the migrations of a startup, as a step before processes are replaced. */
import { type OutputOptions, print } from '../../../packages/cli/src/terminal/output.ts';
import type { Environment } from '../../platform/config/development.ts';
import { readMigrations } from '../../platform/schema/migrate.ts';
import { withDatabase } from './database.ts';

export async function migrateDatabase(environment: Environment, options: OutputOptions): Promise<void> {
  const newest = await withDatabase(environment, async () => (await readMigrations()).at(-1)!.name, {
    usesQueue: true,
  });
  print(options, { migrated_to: newest }, `The database is up to date: ${newest}.`);
}
