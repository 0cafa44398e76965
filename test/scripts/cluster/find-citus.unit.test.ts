/** Where Citus is looked for, and what is said when it is not there. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCitus } from '../../../scripts/cluster/find-citus.ts';

let folder: string;
let pgConfig: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  pgConfig = join(folder, 'pg_config');
  const answer = ['PostgreSQL 17.2', ...['bin', 'lib', 'share', 'include'].map((name) => join(folder, name))];
  await writeFile(pgConfig, `#!/bin/sh\ncat <<'END'\n${answer.join('\n')}\nEND\n`, { mode: 0o755 });
  for (const name of ['bin', 'lib', 'share/extension']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'bin', 'initdb'), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const find = () => findCitus({ PG_CONFIG: pgConfig }, join(folder, 'built'));

async function install(version: string): Promise<void> {
  await writeFile(join(folder, 'lib', 'citus.so'), '');
  await writeFile(join(folder, 'share/extension/citus.control'), `comment = 'Citus'\ndefault_version = '${version}'\n`);
}

test('is found in the Postgres that was asked for', async () => {
  await install('13.2-1');
  expect(await find()).toMatchObject({ citus: '13.2-1', postgres: { version: 17, bin: join(folder, 'bin') } });
});

test('one that is too old is none; what to do is said', async () => {
  await expect(find()).rejects.toThrow(/but no Citus in it\nA cluster needs Citus 13 in a Postgres 15 or later/);
  await install('12.1-1');
  await expect(find()).rejects.toThrow('but no Citus in it');
});

test('a client without a server, and what is no pg_config, are refused', async () => {
  await rm(join(folder, 'bin', 'initdb'));
  await expect(find()).rejects.toThrow('is no pg_config of a Postgres 15 or later');
  await expect(findCitus({ PG_CONFIG: join(folder, 'none') }, folder)).rejects.toThrow('is no pg_config');
});
