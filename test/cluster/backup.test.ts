/** Restores a backup of a cluster to a single Postgres, and a backup of that to a cluster. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Nodes } from '../../scripts/cluster/nodes.ts';
import { restoreBackup } from '../../src/platform/backup/restore.ts';
import { writeBackup } from '../../src/platform/backup/take.ts';
import { startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { createStorage } from '../../src/platform/files/context.ts';
import { testApp } from '../helpers/app.ts';
import { dedicatedCluster, distributedDatabase } from '../helpers/database/own-cluster.ts';
import { addDocument } from '../helpers/resources/documents.ts';

let folder: string;
let nodes: Nodes;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  nodes = await dedicatedCluster(folder, 2);
});
afterAll(async () => {
  await nodes?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Every row of all company tables and of users, as text. */
async function rowsAt(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const found: Record<string, string[]> = {};
    for (const table of ['companies', 'users', 'memberships', 'collaborators', 'documents', 'events', 'audit_log']) {
      const { rows } = await client.query<{ row: string }>(`select to_json(t)::text as row from ${table} t`);
      found[table] = rows.map(({ row }) => row).sort();
    }
    return found;
  } finally {
    await client.end();
  }
}

async function queryRows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

test('restores completely to a single Postgres and back, distributed again', async () => {
  const app = await testApp(
    { STORAGE_URL: `file:${join(folder, 'files')}` },
    await distributedDatabase(nodes, 'backed_up'),
  );
  await addDocument(app, app.employee.collaborator_id);
  const { encryption_keys: encryptionKeys } = app.config;
  const storage = createStorage(app.config);
  const { url } = app.database;
  await app.close(); // a restore is rejected while a service runs
  const before = await rowsAt(url);
  expect(before.collaborators!.length).toBeGreaterThan(3);
  const common = {
    encryption_keys: encryptionKeys,
    storage,
    onProgress: () => {},
    signal: new AbortController().signal,
  };
  const [ofCluster, ofOne] = [join(folder, 'of-cluster'), join(folder, 'of-one')];
  await writeBackup({ url, target: ofCluster, ...common });

  const one = await startEmbedded(join(folder, 'one'), { fsync: 'off' });
  try {
    const restored = await restoreBackup({ url: one.url, source: ofCluster, force: true, ...common });
    expect(restored.distributed).toBe(false);
    expect(await rowsAt(one.url)).toEqual(before);
    await writeBackup({ url: one.url, target: ofOne, ...common });
  } finally {
    await one.stop();
  }

  await queryRows(url, "delete from audit_log where action <> ''");
  const back = await restoreBackup({ url, source: ofOne, force: true, ...common });
  expect(back.distributed).toBe(true);
  expect(await rowsAt(url)).toEqual(before);
  const machines = await queryRows(
    url,
    `select count(distinct groupid)::int as machines from pg_dist_placement join pg_dist_shard using (shardid)
     where logicalrelid = 'collaborators'::regclass`,
  );
  expect(machines).toEqual([{ machines: 2 }]);
});
