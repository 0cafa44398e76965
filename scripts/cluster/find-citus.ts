/**
 * Finds a local Postgres with Citus: from `PG_CONFIG`, PATH, or Debian's folders. Nothing is installed outside the project: a
 * build from source (`CITUS_SOURCE`) goes into its own copy of Postgres.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildCitus } from './build-citus.ts';
import type { Postgres } from './postgres.ts';

interface PostgresWithCitus {
  postgres: Postgres;
  /** For example 13.0-1. */
  citus: string;
}

/** Citus is not installed; the message says what to do. */
export class NoCitus extends Error {
  override name = 'NoCitus';
}

const debianFolder = '/usr/lib/postgresql';
const oldestCitus = 13;
const oldestPostgres = 15;
const instructions = `A cluster needs Citus ${oldestCitus} in a Postgres ${oldestPostgres} or later:
  - from packages: docs/operations/citus.md says which;
  - from its source: CITUS_SOURCE=<folder> (needs Postgres' server headers, a C compiler and make);
  - somewhere else than in PATH: PG_CONFIG=<path of pg_config>.`;

/**
 * @param environment reads PG_CONFIG and CITUS_SOURCE
 * @param built folder of builds from source; existing builds are reused
 * @throws NoCitus
 */
export async function findCitus(environment: NodeJS.ProcessEnv, built: string): Promise<PostgresWithCitus> {
  const found = await localPostgres(environment.PG_CONFIG);
  for (const postgres of found) {
    const citus = await citusOf(postgres);
    if (citus) return { postgres, citus };
  }
  const source = environment.CITUS_SOURCE;
  if (!source) throw new NoCitus(`${describeFound(found)}\n${instructions}`);
  const base = found.find(({ headers }) => existsSync(join(headers, 'postgres.h')));
  if (!base) throw new NoCitus(`${describeFound(found)}, and none has the server headers\n${instructions}`);
  const postgres = await buildCitus(base, source, built);
  const citus = await citusOf(postgres);
  if (!citus) throw new NoCitus(`what was built from ${source} is no Citus ${oldestCitus} or later\n${instructions}`);
  return { postgres, citus };
}

/** All recent enough local servers, or only the given one. */
async function localPostgres(requestedConfig: string | undefined): Promise<Postgres[]> {
  if (requestedConfig) {
    const postgres = await describe(requestedConfig);
    if (!postgres)
      throw new NoCitus(`PG_CONFIG=${requestedConfig} is no pg_config of a Postgres ${oldestPostgres} or later`);
    return [postgres];
  }
  const versions = await readdir(debianFolder).catch(() => []);
  const packaged = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debianFolder, version, 'bin'));
  const found = await Promise.all(['pg_config', ...packaged.map((bin) => join(bin, 'pg_config'))].map(describe));
  return found.filter((postgres) => postgres !== undefined);
}

async function describe(pgConfig: string): Promise<Postgres | undefined> {
  const names = ['--version', '--bindir', '--pkglibdir', '--sharedir', '--includedir-server'];
  const result = await promisify(execFile)(pgConfig, names).catch(() => undefined);
  const [words = '', bin = '', modules = '', share = '', headers = ''] = result?.stdout.split('\n') ?? [];
  const version = Number(/(\d+)/.exec(words)?.[1]);
  if (!(version >= oldestPostgres) || !existsSync(join(bin, 'initdb'))) return undefined; // client only, or too old
  return { pg_config: pgConfig, version, bin, modules, share, headers };
}

/** @returns its version, if it is recent enough */
async function citusOf({ modules, share }: Postgres): Promise<string | undefined> {
  if (!['so', 'dylib'].some((ending) => existsSync(join(modules, `citus.${ending}`)))) return undefined;
  const control = await readFile(join(share, 'extension', 'citus.control'), 'utf8').catch(() => '');
  const version = /default_version = '([\d.-]+)'/.exec(control)?.[1];
  return version && Number.parseInt(version, 10) >= oldestCitus ? version : undefined;
}

function describeFound(found: Postgres[]): string {
  if (found.length === 0) return `There is no Postgres server ${oldestPostgres} or later on this machine`;
  return `There is Postgres on this machine (${found.map(({ bin }) => bin).join(', ')}), but no Citus in it`;
}
