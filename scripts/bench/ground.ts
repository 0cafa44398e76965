// What a benchmark stands on: a folder, and a Postgres of its own in it. Ending it ends all servers under measurement too.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownPostgres } from '../run/own-postgres.ts';
import { stopServers } from './servers.ts';

interface Ground {
  /** For files; it goes with everything in it. */
  folder: string;
  /** Of an empty database. */
  url: string;
  end(): Promise<void>;
}

/** @param settings of Postgres, where its own are not meant for so much */
export async function startGround(settings?: Record<string, string>): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
  const postgres = await ownPostgres(join(folder, 'postgres'), settings);
  const end = async () => {
    stopServers();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, url: postgres.url, end };
}
