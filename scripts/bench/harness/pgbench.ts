// The database's limit: the same statements, sent by pgbench (part of Postgres), with uniformly random people.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { statements } from '../peers/statements.ts';
import { type BenchData, personId } from './fill.ts';

const exec = promisify(execFile);

interface Pgbench {
  knows(operationId: string): boolean;
  /** @returns transactions per second */
  run(operationId: string, seconds: number): Promise<number>;
}

/** @returns undefined if pgbench is not installed */
export async function findPgbench(
  url: string,
  folder: string,
  { company_id: companyId }: BenchData,
  people: number,
  connections: number,
): Promise<Pgbench | undefined> {
  const found = await exec('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (!found) return undefined;
  const filled = (text: string, ...values: string[]) =>
    text.replaceAll(/\$(\d)/g, (_, number) => values[Number(number) - 1] ?? 'null').replaceAll('\n', ' ');
  const company = `'${companyId}'`;
  const uuid = 'gen_random_uuid()';
  const scripts: Record<string, string[]> = {
    getCollaborator: [`\\set n random(1, ${people})`, filled(statements.get, company, personId(company, ':n'))],
    createCollaborator: [
      '\\set slot random(0, 15)',
      'begin',
      `${filled(statements.add, company, uuid, "'Marta Lopes'", `${uuid} || '@example.com'`, "'x'", "'y'", "'+351 21'", "'2026-03-02'", "'Porto'")} \\gset new_`,
      filled(statements.addHistory, company, uuid, ':new_id', "'created'", "'Created'", "'[]'"),
      filled(
        statements.addEvent,
        company,
        uuid,
        "'collaborator.created'",
        "'created'",
        "json_build_object('id', :new_id::text)::text",
      ),
      filled(statements.addCounts, company, ':slot', '1'),
      filled(statements.addAudit, company, uuid, "'createCollaborator'", uuid, ':new_id', "'{}'"),
      'commit',
    ],
  };
  return {
    knows: (operationId) => operationId in scripts,
    async run(operationId, seconds) {
      const file = join(folder, `${operationId}.sql`);
      const lines = scripts[operationId]!.map((line) =>
        line.startsWith('\\set') || line.endsWith('_') ? line : `${line};`,
      );
      await writeFile(file, `${lines.join('\n')}\n`);
      const settings = [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(connections),
        '-j',
        '2',
        '-T',
        String(Math.ceil(seconds)),
        '-f',
        file,
      ];
      const { stdout } = await exec('pgbench', [...settings, url]);
      return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
    },
  };
}
