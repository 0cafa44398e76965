/** `directory list` and `delete`. Only admins of the company get the tokens of directories. */
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import { recordAudit } from '../../platform/audit/entry.ts';
import type { Environment } from '../../platform/config/development.ts';
import { isId } from '../../product/access/records.ts';
import { removeDirectory } from '../../product/directories/remove-directory.ts';
import { withDatabase } from './database.ts';

export async function list(environment: Environment, options: OutputOptions): Promise<void> {
  const data = await withDatabase(environment, (db) =>
    db.global
      .selectFrom('directories')
      .innerJoin('companies', 'companies.id', 'directories.company_id')
      .select([
        'directories.id',
        'directories.name',
        'directories.company_id',
        'companies.name as company_name',
        'directories.created_at',
        'directories.token_created_at',
      ])
      .orderBy('directories.created_at')
      .orderBy('directories.id')
      .execute(),
  );
  const rows = data.map((each) => [
    each.id,
    each.name,
    each.company_name,
    each.company_id,
    each.created_at,
    each.token_created_at,
  ]);
  const headers = ['ID', 'NAME', 'COMPANY', 'COMPANY ID', 'CONNECTED', 'TOKEN SINCE'];
  print(options, { data }, table(headers, rows, 'There are no directories.'));
}

/** For a leaked token, when no admin of the company is available. */
export async function remove(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const removed = await withDatabase(environment, async (db) => {
    if (!isId(id)) return undefined;
    const found = db.global.selectFrom('directories').select(['company_id', 'name']).where('id', '=', id);
    const directory = await found.executeTakeFirst();
    if (!directory) return undefined;
    const done = await db.tenant(directory.company_id).transaction(async (tx) => {
      const removal = await removeDirectory(tx, id, null);
      const target = { type: 'directory', id };
      if (removal) recordAudit(tx, { action: 'deleteDirectory', actor: { type: 'operator' }, target });
      return removal;
    });
    return done && { ...done, name: directory.name };
  });
  if (!removed) throw new CliError(`there is no directory with the ID ${id}; see \`directory list\``);
  const { name, deleted_at: deletedAt } = removed;
  const lines = [`The token of ${name} no longer works. Its people stay, and can be changed here.`];
  print(options, { id, deleted: true, deleted_at: deletedAt }, lines.join('\n'));
}
