// Resources of a benchmark: a temporary folder with its own Postgres. Closing it also stops all servers under test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownPostgres } from '../../run/own-postgres.ts';
import { stopServers } from './servers.ts';

interface BenchDatabase {
  folder: string;
  url: string;
  end(): Promise<void>;
}

/** @param settings of Postgres, where the defaults are too small */
export async function startBenchDatabase(settings?: Record<string, string>): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
  const postgres = await ownPostgres(join(folder, 'postgres'), settings);
  const end = async () => {
    stopServers();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, url: postgres.url, end };
}
