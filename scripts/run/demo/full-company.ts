/** The full demo company with its first month of activity, created once per data folder. */
import { readConfig } from '../../../src/platform/config/config.ts';
import {
  developmentEnvironment,
  developmentSettings,
  type Environment,
} from '../../../src/platform/config/development.ts';
import type { Database } from '../../../src/platform/db/client.ts';
import type { Company } from '../../../src/product/companies/companies.ts';
import { demoCompany } from './demo-company.ts';
import { databaseTime } from './month-times.ts';
import type { Receivers } from './receivers.ts';

/** @returns how many people were added; 0 if the company is already complete */
export async function fullCompany(
  environment: Environment,
  { db, base_url: baseUrl }: { db: Database; base_url: string },
  receivers: Receivers,
): Promise<{ company: Company; people: number }> {
  const started = await databaseTime(db);
  const { company, added } = await demoCompany(environment, db);
  await receivers.follow(db.tenant(company.id));
  if (added === 0) return { company, people: 0 };
  // Imported lazily: later starts find the company complete and don't need them.
  const [{ playMonth }, { World }] = await Promise.all([import('./month.ts'), import('./month-world.ts')]);
  const { DEMO_PASSWORD } = await developmentSettings(environment);
  const world = new World(db, company.id, readConfig(await developmentEnvironment(environment)), baseUrl);
  await playMonth(world, receivers, started, DEMO_PASSWORD);
  return { company, people: await world.count() };
}
