/** Runs random statements with and without another company's rows. `make proof NAME=guard` runs 100,000 of them. */
import { type Proof, proveGuard } from '../../../scripts/proof/guard/prove.ts';
import type { Rule } from '../../../src/platform/tenancy/tree.ts';
import { testDatabase } from '../../helpers/database/database.ts';

async function prove(options: { count: number; seed: number; disabledRule?: Rule }): Promise<Proof> {
  const databases = [
    await testDatabase(1, { template: 'template0' }),
    await testDatabase(1, { template: 'template0' }),
  ] as const;
  try {
    const urls = [databases[0].url, databases[1].url] as const;
    return await proveGuard({ ...options, urls, stopsEarly: options.disabledRule !== undefined });
  } finally {
    for (const database of databases) await database.drop();
  }
}

const seed = Number(process.env.SEED) || 1;

test(`allowed statements have the same result if another company exists (SEED=${seed})`, async () => {
  const { generated, allowed, failed, violations } = await prove({ count: 1_000, seed });
  expect({ seed, violations }).toEqual({ seed, violations: [] });
  expect(allowed / generated).toBeGreaterThan(0.3);
  expect(failed / allowed).toBeLessThan(0.3); // statements that Postgres rejects prove nothing
});

// If this finds nothing, either the rule isn't needed, or the random statements are too harmless to prove anything.
test('without the rule that binds the company, another one is reachable', async () => {
  const { violations } = await prove({ count: 10_000, seed: 1, disabledRule: 'bound' });
  expect(violations).toHaveLength(1);
});
