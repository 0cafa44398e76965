/** Global setup of a test run: an embedded Postgres (or the one of DATABASE_URL) with a migrated template database. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Nodes } from '../../scripts/cluster/nodes.ts';
import { beforeExit } from '../../scripts/run/before-exit.ts';
import { ownPostgres } from '../../scripts/run/own-postgres.ts';
import type { EmbeddedPostgres } from '../../src/platform/embedded/embedded.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { grantPrivileges } from '../../src/platform/schema/privileges.ts';
import { makeTemplate, startTestCluster } from '../helpers/database/cluster.ts';
import { databaseFolder } from '../helpers/database/database-folder.ts';

declare global {
  var testPostgres:
    | { embedded?: EmbeddedPostgres; cluster?: Nodes; folder?: string; url: string; template: string }
    | undefined;
}

export default async function setup(): Promise<void> {
  const template = `test_template_${randomBytes(4).toString('hex')}`;
  if (process.env.TEST_CLUSTER) return setupCluster(template);
  let url = process.env.DATABASE_URL;
  let folder: string | undefined;
  let embedded: EmbeddedPostgres | undefined;
  if (!url) {
    folder = await testFolder();
    // Trade durability for speed: the data is discarded anyway.
    embedded = await ownPostgres(folder, { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' });
    url = embedded.url;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  await makeTables(templateUrl.href);
  exportToTests(url, template);
  globalThis.testPostgres = { embedded, folder, url, template };
}

/** A folder that is removed even if jest ends without its teardown, as it does at Ctrl-C and with `--bail`. */
async function testFolder(): Promise<string> {
  const folder = await databaseFolder();
  // Postgres may still be stopping.
  beforeExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}

async function setupCluster(template: string): Promise<void> {
  const folder = await testFolder();
  await chmod(folder, 0o755);
  const cluster = (await startTestCluster(folder))!;
  await makeTemplate(cluster, template, makeTables);
  const [url] = cluster.urls as [string];
  exportToTests(url, template);
  process.env.TEST_MACHINES = cluster.urls.join(' ');
  globalThis.testPostgres = { cluster, folder, url, template };
}

async function makeTables(url: string): Promise<void> {
  await migrate(url);
  await migrateQueue(url);
  await grantPrivileges(url, url);
}

function exportToTests(url: string, template: string): void {
  process.env.TEST_CHROMIUM = join(tmpdir(), `${template}-chromium`);
  process.env.TEST_REQUEST_LOG = join(tmpdir(), `${template}.log`);
  process.env.TEST_POSTGRES_URL = url;
  process.env.TEST_TEMPLATE = template;
}

/** Runs only once even if called repeatedly, since several tiers may run together. */
export async function cleanUp(): Promise<void> {
  if (!globalThis.testPostgres) return;
  await rm(process.env.TEST_REQUEST_LOG!, { force: true });
  await rm(process.env.TEST_CHROMIUM!, { recursive: true, force: true });
  const { embedded, cluster, folder, url, template } = globalThis.testPostgres;
  globalThis.testPostgres = undefined;
  if (embedded || cluster) {
    await (embedded ?? cluster)!.stop();
    await rm(folder!, { recursive: true, force: true });
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`drop database if exists ${template} with (force)`);
  await client.end();
}
