/**
 * Builds Citus from source without root. Postgres locates its files relative to its executable, so Citus is installed into a copy
 * of Postgres with the same folder layout.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Postgres } from './postgres.ts';

/**
 * @param base the Postgres to build for; not modified
 * @param source folder with the Citus source; not modified
 * @param built output folder; an earlier build for this Postgres is reused
 * @returns the copy
 * @throws when this Citus does not support this Postgres; names the compiler log
 */
export async function buildCitus(base: Postgres, source: string, built: string): Promise<Postgres> {
  const tree = resolve(built, `postgres-${base.version}`);
  const copy = below(tree, base);
  if (existsSync(tree)) return copy;
  await refuseOtherPostgres(base, source);
  const buildFolder = await mkdtemp(join(temporaryFolder(), 'citus-'));
  try {
    await build(base, source, buildFolder, resolve(built, 'build.log'));
    const unfinished = `${tree}.new`; // renamed when complete
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(dirname(tree), { recursive: true });
    await cp(join(buildFolder, 'tree'), unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, tree);
  } finally {
    await rm(buildFolder, { recursive: true, force: true });
  }
  return copy;
}

/** make can't install into a path with spaces. */
function temporaryFolder(): string {
  return /\s/.test(tmpdir()) ? '/tmp' : tmpdir();
}

async function refuseOtherPostgres(base: Postgres, source: string): Promise<void> {
  const configure = await readFile(join(source, 'configure'), 'utf8').catch(() => '');
  const [, citus] = /PACKAGE_STRING='Citus ([^']+)'/.exec(configure) ?? [];
  if (!citus) throw new Error(`CITUS_SOURCE=${source} does not contain the Citus source`);
  const supportedVersions = [...configure.matchAll(/"\$version_num" != '(\d+)'/g)].map(([, version]) =>
    Number(version),
  );
  if (supportedVersions.length === 0 || supportedVersions.includes(base.version)) return;
  throw new Error(
    `Citus ${citus} takes Postgres ${supportedVersions.join(', ')}, and ${base.pg_config} is Postgres ${base.version}: ` +
      'docs/operations/citus.md says which go together; PG_CONFIG says which Postgres it is',
  );
}

/** @param buildFolder folder without spaces in its path; receives Postgres with Citus in `tree` */
async function build(base: Postgres, source: string, buildFolder: string, logFile: string): Promise<void> {
  const [work, unfinished] = [join(buildFolder, 'source'), join(buildFolder, 'tree')];
  await mkdir(unfinished);
  await mkdir(dirname(logFile), { recursive: true });
  await rm(logFile, { force: true });
  await cp(source, work, { recursive: true, verbatimSymlinks: true });
  await renameConflictingFunction(work);
  // Copying scrambles timestamps: mark configure as up to date, or make would run autoconf.
  await utimes(join(work, 'configure'), new Date(), new Date());
  for (const folder of [base.bin, base.modules, base.share]) {
    await cp(folder, join(unfinished, folder), { recursive: true, verbatimSymlinks: true });
  }
  const configure = ['./configure', `PG_CONFIG=${base.pg_config}`, '--without-libcurl'];
  try {
    await run(configure, work, logFile);
  } catch {
    await run([...configure, '--without-lz4', '--without-zstd'], work, logFile); // their headers are missing
  }
  await run(['make', 'clean'], work, logFile); // existing objects may be for another Postgres
  // Skip LLVM bitcode, which needs the clang version that built Postgres.
  const make = ['make', '-s', 'with_llvm=no'];
  await run([...make, `-j${availableParallelism()}`], work, logFile);
  await run([...make, 'install', `DESTDIR=${unfinished}`], work, logFile);
}

/** Renames a function of Citus 13 that the headers of Postgres 15.20 declare as well, which does not compile. */
async function renameConflictingFunction(work: string): Promise<void> {
  const file = join(work, 'src/include/pg_version_compat.h');
  const text = await readFile(file, 'utf8').catch(() => '');
  const declaration = 'static inline bool\nhave_createdb_privilege(void)\n';
  if (!text.includes(declaration)) return;
  const renamed = '#undef have_createdb_privilege\n#define have_createdb_privilege citus_have_createdb_privilege\n';
  await writeFile(file, text.replace(declaration, `${renamed}${declaration}`));
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
    const errorLine =
      (await readFile(logFile, 'utf8'))
        .split('\n')
        .findLast((line) => /\berror: |: No such file or directory/.test(line)) ?? '';
    throw new Error(
      `Citus could not be built, "${command} ${args[0] ?? ''}" failed: ${errorLine} (all of it is in ${logFile})`,
    );
  } finally {
    await log.close();
  }
}
