/** `storage adopt`: deliberately assigns the file storage to this database. */
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print } from '../../../packages/cli/src/terminal/output.ts';
import type { Environment } from '../../platform/config/development.ts';
import { createStorage } from '../../platform/files/context.ts';
import { adopt, markOf, sqlRunnerOf, storeId } from '../../platform/files/store/store-binding.ts';
import { withDatabase } from './database.ts';

export async function adoptStorage(
  environment: Environment,
  { force = false, ...options }: OutputOptions & { force?: boolean },
): Promise<void> {
  const found = await withDatabase(environment, async (db, config) => {
    const store = createStorage(config);
    await store.check('writing');
    const query = sqlRunnerOf(db);
    const mark = await markOf(store);
    const own = await storeId(query);
    if (mark !== undefined && mark === own?.mark) return 'own';
    if (mark !== undefined && !force) {
      throw new CliError(
        'the file store (STORAGE_URL) belongs to another database, whose files would be deleted within hours: adopt it with --force if no other service uses it',
      );
    }
    await adopt(query, store);
    return mark === undefined ? 'none' : 'other';
  });
  const text =
    found === 'own' ? 'The store already belongs to this database.' : 'The store now belongs to this database.';
  print(options, { adopted: found !== 'own', mark_before: found }, text);
}
