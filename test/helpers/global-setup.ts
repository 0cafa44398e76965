/** Once for a test run: a Postgres of its own (or the one of DATABASE_URL) with a migrated template database. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { grantPrivileges } from '../../src/platform/schema/privileges.ts';
import { databaseFolder } from './database-folder.ts';

declare global {
  var testPostgres: { embedded?: EmbeddedPostgres; folder?: string; url: string; template: string } | undefined;
}

export default async function setup(): Promise<void> {
  const template = `test_template_${randomBytes(4).toString('hex')}`;
  let url = process.env.DATABASE_URL;
  let folder: string | undefined;
  let embedded: EmbeddedPostgres | undefined;
  if (!url) {
    folder = await databaseFolder();
    // What a crash would lose does not matter here: the data are thrown away in any case.
    embedded = await startEmbedded(folder, { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' });
    url = embedded.url;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  const template_url = new URL(url);
  template_url.pathname = `/${template}`;
  await migrate(template_url.href);
  await migrateQueue(template_url.href);
  await grantPrivileges(template_url.href, template_url.href);
  process.env.TEST_REQUEST_LOG = join(tmpdir(), `${template}.log`);
  process.env.TEST_POSTGRES_URL = url;
  process.env.TEST_TEMPLATE = template;
  globalThis.testPostgres = { embedded, folder, url, template };
}

/** Once, however often it is called: several tiers may run together. */
export async function cleanUp(): Promise<void> {
  if (!globalThis.testPostgres) return;
  await rm(process.env.TEST_REQUEST_LOG!, { force: true });
  const { embedded, folder, url, template } = globalThis.testPostgres;
  globalThis.testPostgres = undefined;
  if (embedded) {
    await embedded.stop();
    await rm(folder!, { recursive: true, force: true });
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`drop database if exists ${template} with (force)`);
  await client.end();
}
