/** Building Citus from source, with a small stand-in that is configured, built, and installed the same way. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCitus } from '../../../scripts/cluster/build-citus.ts';
import type { Postgres } from '../../../scripts/cluster/postgres.ts';

let folder: string;
let source: string;
let postgres: Postgres;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'citus-build-'));
  source = join(folder, 'the source');
  const pathTo = (name: string) => join(folder, 'postgres', name);
  postgres = {
    ...{ pg_config: '/bin/pg_config', version: 15, bin: pathTo('bin') },
    ...{ modules: pathTo('lib'), share: pathTo('share'), headers: pathTo('include') },
  };
  for (const path of [postgres.bin, postgres.modules, postgres.share, join(source, 'src/include')]) {
    await mkdir(path, { recursive: true });
  }
  const compat = 'static inline bool\nhave_createdb_privilege(void)\n{\n}\n';
  await writeFile(join(source, 'src/include/pg_version_compat.h'), compat);
  const configure = [
    "PACKAGE_STRING='Citus 13.2.0'",
    `if test "$version_num" != '15' -a  "$version_num" != '16'; then :; fi`,
  ];
  await writeFile(join(source, 'configure'), `#!/bin/sh\n${configure.join('\n')}\n`, { mode: 0o755 });
  const modules = `$(DESTDIR)${postgres.modules}`;
  const make = `all clean:\n\t@true\ninstall:\n\tmkdir -p ${modules}\n\tcp src/include/pg_version_compat.h ${modules}/citus.so\n`;
  await writeFile(join(source, 'Makefile'), make);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('installs into a copy of Postgres, in a path with a space, without changing the source', async () => {
  const built = join(folder, 'a place', 'built');
  const copy = await buildCitus(postgres, source, built);
  expect(copy.modules).toBe(join(built, 'postgres-15', postgres.modules));
  expect(await readdir(copy.modules)).toEqual(['citus.so']);
  expect((await readdir(built)).sort()).toEqual(['build.log', 'postgres-15']);
  const renamed =
    /#define have_createdb_privilege citus_have_createdb_privilege\nstatic inline bool\nhave_createdb_privilege/;
  expect(await readFile(join(copy.modules, 'citus.so'), 'utf8')).toMatch(renamed);
  expect(await readFile(join(source, 'src/include/pg_version_compat.h'), 'utf8')).not.toContain('citus_have');
});

test('rejects an unsupported Postgres before compiling', async () => {
  const built = join(folder, 'built');
  await expect(buildCitus({ ...postgres, version: 18 }, source, built)).rejects.toThrow(
    'Citus 13.2.0 takes Postgres 15, 16, and /bin/pg_config is Postgres 18',
  );
  await expect(buildCitus(postgres, folder, built)).rejects.toThrow('does not contain the Citus source');
  expect(await readdir(folder)).not.toContain('built');
});

test('reports compiler errors', async () => {
  await writeFile(
    join(source, 'Makefile'),
    'all clean install:\n\t@echo "a.c:1: fatal error: zstd.h: No such file"; false\n',
  );
  await expect(buildCitus(postgres, source, join(folder, 'built'))).rejects.toThrow(
    /"make clean" failed: a\.c:1: fatal error: zstd\.h: No such file \(all of it is in \S+build\.log\)/,
  );
});
