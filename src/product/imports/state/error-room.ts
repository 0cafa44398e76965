/** Keeps a company's stored import errors within its quota, by removing the oldest. */
import { sql } from 'kysely';
import type { ImportRun } from '../import-run.ts';
import { removeErrors } from '../remove-old-imports.ts';

/** Only for ended imports: open ones need to know which rows have errors. */
export async function makeRoomForErrors({ tenant, quotas }: Pick<ImportRun, 'tenant' | 'quotas'>): Promise<void> {
  for (;;) {
    const { limit, used } = await quotas.use(tenant, 'import_errors');
    if (used <= limit) return;
    const [oldest, next] = await tenant
      .selectFrom('imports')
      .select('id')
      .where('due_at', 'is', null)
      .where('key', 'is', null)
      .where('error_count', '>', 0)
      .where('errors_removed_at', 'is', null)
      .orderBy('created_at')
      .limit(2)
      .execute();
    if (!oldest || !next) return; // the newest keeps all of its errors, because somebody is about to read them
    await removeErrors(tenant, oldest.id);
    await tenant
      .updateTable('imports')
      .set({ errors_removed_at: sql<string>`now()` })
      .where('id', '=', oldest.id)
      .execute();
  }
}
