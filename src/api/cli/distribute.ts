/** `database distribute`: distributes the tables over a Citus cluster. */
import { type OutputOptions, print } from '../../../packages/cli/src/terminal/output.ts';
import { ConfigError } from '../../platform/config/config-error.ts';
import type { Environment } from '../../platform/config/development.ts';
import { openSession } from '../../platform/connection/open.ts';
import { distribute, distributionPlan } from '../../platform/schema/distribute.ts';
import { requireUsableDatabase } from '../../platform/schema/fitness/refuse-unfit.ts';
import { migrate } from '../../platform/schema/migrate.ts';
import { withDatabaseUrl } from './database.ts';

export async function distributeDatabase(
  environment: Environment,
  options: OutputOptions & { dryRun?: boolean },
): Promise<void> {
  const statements = await withDatabaseUrl(environment, async (url, config) => {
    if (!config.database.url) throw new ConfigError("DATABASE_URL: required; the URL of the cluster's coordinator");
    await requireUsableDatabase({ ownerUrl: url, directUrl: url });
    await migrate(url);
    return options.dryRun ? plan(url) : distribute(url);
  });
  const text = options.dryRun
    ? ['begin;', ...statements.map((statement) => `${statement};`), 'commit;'].join('\n')
    : `Distributed with ${statements.length} statements.`;
  print(options, { distributed: !options.dryRun, statements }, text);
}

async function plan(url: string): Promise<string[]> {
  const client = await openSession(url, { application_name: 'distribute' });
  try {
    return await distributionPlan(client);
  } finally {
    await client.end();
  }
}
