/** What is done to the servers of a test run: one, or all machines of a cluster. */
import { databaseUrl, statements } from '../../scripts/cluster/nodes.ts';

/** On all of them at once. @param urls of their superusers */
export async function onEveryMachine(urls: readonly string[], sql: string): Promise<void> {
  await Promise.all(urls.map((url) => statements(databaseUrl(url, 'postgres'), sql)));
}
