/**
 * Citus from its source, without rights on this machine: Postgres finds its parts relative to its own program, so a copy
 * of its folders, with the same names below another folder, takes what `make install` puts there.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { Postgres } from './postgres.ts';

/**
 * @param base the Postgres it is built for; nothing in it changes
 * @param source a folder with the source of Citus; nothing in it changes
 * @param built where all of it is put; what was built there for this Postgres before is used
 * @returns the copy
 * @throws with the file that has the compiler's words
 */
export async function buildCitus(base: Postgres, source: string, built: string): Promise<Postgres> {
  const tree = resolve(built, `postgres-${base.version}`);
  const copy = below(tree, base);
  if (existsSync(tree)) return copy;
  if (!existsSync(join(source, 'configure'))) throw new Error(`CITUS_SOURCE=${source} has no source of Citus in it`);
  const unfinished = `${tree}.new`; // renamed when whole
  const work = resolve(built, 'source');
  for (const folder of [unfinished, work]) await rm(folder, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await cp(source, work, { recursive: true, verbatimSymlinks: true });
  // Make would ask autoconf for one that is older than what it is made of, and the order of copies says nothing.
  await utimes(join(work, 'configure'), new Date(), new Date());
  for (const folder of [base.bin, base.modules, base.share]) {
    await cp(folder, join(unfinished, folder), { recursive: true, verbatimSymlinks: true });
  }
  const log_file = resolve(built, 'build.log');
  const configure = ['./configure', `PG_CONFIG=${base.pg_config}`, '--without-libcurl'];
  try {
    await run(configure, work, log_file);
  } catch {
    await run([...configure, '--without-lz4', '--without-zstd'], work, log_file); // their headers are not there
  }
  await run(['make', 'clean'], work, log_file); // what it was compiled to before may be for another Postgres
  await run(['make', '-s', `-j${availableParallelism()}`], work, log_file);
  await run(['make', '-s', 'install', `DESTDIR=${unfinished}`], work, log_file);
  await rename(unfinished, tree);
  await rm(work, { recursive: true, force: true });
  return copy;
}

function below(tree: string, base: Postgres): Postgres {
  const { bin, modules, share } = base;
  return { ...base, bin: join(tree, bin), modules: join(tree, modules), share: join(tree, share) };
}

async function run([command, ...args]: string[], cwd: string, log_file: string): Promise<void> {
  const log = await open(log_file, 'a');
  try {
    const child = spawn(command!, args, { cwd, stdio: ['ignore', log.fd, log.fd] });
    const code = await new Promise<number | null>((ended, failed) => child.once('error', failed).once('exit', ended));
    if (code !== 0) throw new Error(`Citus could not be built, "${command} ${args[0] ?? ''}" failed: see ${log_file}`);
  } finally {
    await log.close();
  }
}
