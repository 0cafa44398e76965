/** Runs statements on the servers of a test run: a single Postgres, or all nodes of a cluster. */
import { databaseUrl, statements } from '../../../scripts/cluster/nodes.ts';

export async function onEveryNode(urls: readonly string[], sql: string): Promise<void> {
  await Promise.all(urls.map((url) => statements(databaseUrl(url, 'postgres'), sql)));
}
