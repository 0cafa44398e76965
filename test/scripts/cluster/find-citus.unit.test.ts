/** Locating Citus, and the message if it is missing. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCitus } from '../../../scripts/cluster/find-citus.ts';

let folder: string;
let pgConfig: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  pgConfig = join(folder, 'pg_config');
  const output = ['PostgreSQL 17.2', ...['bin', 'lib', 'share', 'include'].map((name) => join(folder, name))];
  await writeFile(pgConfig, `#!/bin/sh\ncat <<'END'\n${output.join('\n')}\nEND\n`, { mode: 0o755 });
  for (const name of ['bin', 'lib', 'share/extension']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'bin', 'initdb'), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const find = () => findCitus({ PG_CONFIG: pgConfig }, join(folder, 'built'));

async function install(version: string): Promise<void> {
  await writeFile(join(folder, 'lib', 'citus.so'), '');
  await writeFile(join(folder, 'share/extension/citus.control'), `comment = 'Citus'\ndefault_version = '${version}'\n`);
}

test('finds it in the requested Postgres', async () => {
  await install('13.2-1');
  expect(await find()).toMatchObject({ citus: '13.2-1', postgres: { version: 17, bin: join(folder, 'bin') } });
});

test('rejects an old version, and says what to do', async () => {
  await expect(find()).rejects.toThrow(/but no Citus in it\nA cluster needs Citus 13 in a Postgres 15 or later/);
  await install('12.1-1');
  await expect(find()).rejects.toThrow('but no Citus in it');
});

test('rejects a client without a server, and anything but pg_config', async () => {
  await rm(join(folder, 'bin', 'initdb'));
  await expect(find()).rejects.toThrow('is no pg_config of a Postgres 15 or later');
  await expect(findCitus({ PG_CONFIG: join(folder, 'none') }, folder)).rejects.toThrow('is no pg_config');
});
