/**
 * Citus from its source, without rights on this machine: Postgres finds its parts relative to its own program, so a copy
 * of its folders, with the same names below another folder, takes what `make install` puts there.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Postgres } from './postgres.ts';

/**
 * @param base the Postgres it is built for; nothing in it changes
 * @param source a folder with the source of Citus; nothing in it changes
 * @param built where all of it is put; what was built there for this Postgres before is used
 * @returns the copy
 * @throws when that Citus does not take that Postgres; with the file that has the compiler's words
 */
export async function buildCitus(base: Postgres, source: string, built: string): Promise<Postgres> {
  const tree = resolve(built, `postgres-${base.version}`);
  const copy = below(tree, base);
  if (existsSync(tree)) return copy;
  await refuseOtherPostgres(base, source);
  const place = await mkdtemp(join(temporaryFolder(), 'citus-'));
  try {
    await build(base, source, place, resolve(built, 'build.log'));
    const unfinished = `${tree}.new`; // renamed when whole
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(dirname(tree), { recursive: true });
    await cp(join(place, 'tree'), unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, tree);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  return copy;
}

/** Make can't write into a folder with a space in its path. */
function temporaryFolder(): string {
  return /\s/.test(tmpdir()) ? '/tmp' : tmpdir();
}

async function refuseOtherPostgres(base: Postgres, source: string): Promise<void> {
  const configure = await readFile(join(source, 'configure'), 'utf8').catch(() => '');
  const [, citus] = /PACKAGE_STRING='Citus ([^']+)'/.exec(configure) ?? [];
  if (!citus) throw new Error(`CITUS_SOURCE=${source} has no source of Citus in it`);
  const taken = [...configure.matchAll(/"\$version_num" != '(\d+)'/g)].map(([, version]) => Number(version));
  if (taken.length === 0 || taken.includes(base.version)) return;
  throw new Error(
    `Citus ${citus} takes Postgres ${taken.join(', ')}, and ${base.pg_config} is Postgres ${base.version}: ` +
      'docs/operations/citus.md says which go together; PG_CONFIG says which Postgres it is',
  );
}

/** @param place a folder whose path has no space; in its `tree` are then the parts of a Postgres with Citus */
async function build(base: Postgres, source: string, place: string, logFile: string): Promise<void> {
  const [work, unfinished] = [join(place, 'source'), join(place, 'tree')];
  await mkdir(unfinished);
  await mkdir(dirname(logFile), { recursive: true });
  await rm(logFile, { force: true });
  await cp(source, work, { recursive: true, verbatimSymlinks: true });
  await renameTwin(work);
  // Make would ask autoconf for one that is older than what it is made of, and the order of copies says nothing.
  await utimes(join(work, 'configure'), new Date(), new Date());
  for (const folder of [base.bin, base.modules, base.share]) {
    await cp(folder, join(unfinished, folder), { recursive: true, verbatimSymlinks: true });
  }
  const configure = ['./configure', `PG_CONFIG=${base.pg_config}`, '--without-libcurl'];
  try {
    await run(configure, work, logFile);
  } catch {
    await run([...configure, '--without-lz4', '--without-zstd'], work, logFile); // their headers are not there
  }
  await run(['make', 'clean'], work, logFile); // what it was compiled to before may be for another Postgres
  // Without what Postgres could compile further, for which it asks for the clang of its own build.
  const make = ['make', '-s', 'with_llvm=no'];
  await run([...make, `-j${availableParallelism()}`], work, logFile);
  await run([...make, 'install', `DESTDIR=${unfinished}`], work, logFile);
}

/**
 * Citus 13 brings a function for Postgres 15 that the headers of Postgres 15.20 declare as well, and C takes only one of them: that of
 * Citus gets another name.
 */
async function renameTwin(work: string): Promise<void> {
  const file = join(work, 'src/include/pg_version_compat.h');
  const text = await readFile(file, 'utf8').catch(() => '');
  const twin = 'static inline bool\nhave_createdb_privilege(void)\n';
  if (!text.includes(twin)) return;
  const renamed = '#undef have_createdb_privilege\n#define have_createdb_privilege citus_have_createdb_privilege\n';
  await writeFile(file, text.replace(twin, `${renamed}${twin}`));
}

function below(tree: string, base: Postgres): Postgres {
  const { bin, modules, share } = base;
  return { ...base, bin: join(tree, bin), modules: join(tree, modules), share: join(tree, share) };
}

async function run([command, ...args]: string[], cwd: string, logFile: string): Promise<void> {
  const log = await open(logFile, 'a');
  try {
    const child = spawn(command!, args, { cwd, stdio: ['ignore', log.fd, log.fd] });
    const code = await new Promise<number | null>((ended, failed) => child.once('error', failed).once('exit', ended));
    if (code === 0) return;
    const words =
      (await readFile(logFile, 'utf8'))
        .split('\n')
        .findLast((line) => /\berror: |: No such file or directory/.test(line)) ?? '';
    throw new Error(
      `Citus could not be built, "${command} ${args[0] ?? ''}" failed: ${words} (all of it is in ${logFile})`,
    );
  } finally {
    await log.close();
  }
}
