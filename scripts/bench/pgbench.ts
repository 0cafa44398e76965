// The database's own limit: the same statements, sent by pgbench, which comes with Postgres.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Filled } from './fill.ts';
import { statements } from './peers/statements.ts';
import { listed_pages } from './requests.ts';

const run = promisify(execFile);

type Pgbench = (operationId: string, seconds: number) => Promise<number>;

/** @returns undefined where the machine has no pgbench */
export async function findPgbench(
  url: string,
  folder: string,
  { company_id, ids }: Filled,
  connections: number,
): Promise<Pgbench | undefined> {
  const found = await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (!found) return undefined;
  const filled = (text: string, ...values: string[]) =>
    text.replaceAll(/\$(\d)/g, (_, number) => values[Number(number) - 1] ?? 'null').replaceAll('\n', ' ');
  const quoted = (text: string) => `'${text}'`;
  const company = quoted(company_id);
  const uuid = 'gen_random_uuid()';
  const scripts: Record<string, string[]> = {
    getCollaborator: [filled(statements.get, company, quoted(ids[0]!))],
    listCollaborators: [
      `\\set offset 20 * random(0, ${listed_pages - 1})`,
      filled(statements.count, company),
      filled(statements.list, company, '20', ':offset'),
    ],
    createCollaborator: [
      'begin',
      `${filled(statements.add, company, uuid, "'Marta Lopes'", `${uuid} || '@example.com'`, "'x'", "'y'", "'+351 21'", "'2026-03-02'", "'Porto'")} \\gset new_`,
      filled(statements.addHistory, company, uuid, ':new_id'),
      filled(statements.addEvent, company, uuid, "json_build_object('id', :new_id::text)::text"),
      'commit',
    ],
  };
  return async (operationId, seconds) => {
    const file = join(folder, `${operationId}.sql`);
    const lines = scripts[operationId]!.map((line) =>
      line.startsWith('\\set') || line.endsWith('_') ? line : `${line};`,
    );
    await writeFile(file, `${lines.join('\n')}\n`);
    const settings = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds), '-f', file];
    const { stdout } = await run('pgbench', [...settings, url]);
    return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
  };
}
