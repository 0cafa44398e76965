// Tenant isolation fuzzer: users of two companies send random requests, and all responses are searched for leaks.
//   STEPS=3000 requests; SEED=… repeats a run; ROUNDS=60 timings of each kind for each operation
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { comparable, probes, readSnapshot, sendProbe, timeProbe } from './oracle.ts';
import { hangUp } from './send.ts';
import { type AttackedService, createTarget, password, signInAs, withAttackedService } from './service.ts';
import { runPrograms, type Side, strangersInAudit } from './tenants.ts';
import { createWorld } from './world.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const steps = Number(process.env.STEPS ?? 3_000);
const rounds = Number(process.env.ROUNDS ?? 60);
const auditWrittenWithinMs = 1_000;

await withAttackedService(async (service) => {
  console.log(`SEED=${seed} STEPS=${steps}\n`);
  const sides = await service.withWorker(() => createSides(service));
  const [first, second] = sides;
  const pool = new pg.Pool({ connectionString: service.database_url, max: 2 });
  pool.on('error', () => {}); // the database ends first when something else fails
  const violations: string[] = [];

  const before = await readSnapshot(first);
  const query = async (sql: string, values: unknown[]) => (await pool.query(sql, values)).rows;
  const busy = await runPrograms({ sides, query, seed, steps: Math.min(300, steps), only: second });
  violations.push(...busy.violations);
  const after = await readSnapshot(first);
  for (const [path, response] of before) {
    if (after.get(path) !== response)
      violations.push(`${path} of ${first.label} changed while only ${second.label} was at work`);
  }
  console.log(`${before.size} readings of one company, the same after ${busy.requests} requests of the other`);

  const outcome = await runPrograms({ sides, query, seed, steps });
  violations.push(...outcome.violations);
  await sleep(auditWrittenWithinMs);
  const strangers = await strangersInAudit(query);
  if (strangers > 0) violations.push(`${strangers} entries of the audit log are about somebody of another company`);
  const operations = outcome.carriedOut.size;
  const across = `${outcome.across} of them with ids of the other company`;
  console.log(
    `${outcome.requests} requests, ${across}; ${operations} operations carried out; ${outcome.filesRead} files read`,
  );

  await second.world.refresh('collaborators');
  console.log('\n| operation | another company’s, ms | unknown, ms | difference |\n| --- | --: | --: | --: |');
  for (const probe of probes(second)) {
    const [foreign, unknown] = [
      await sendProbe(first, probe.method, probe.foreign),
      await sendProbe(first, probe.method, probe.unknown),
    ];
    if (comparable(foreign) !== comparable(unknown))
      violations.push(`${probe.operationId} tells what belongs to others from what is not`);
    const { foreignMs, unknownMs } = await timeProbe(first, probe, rounds);
    const difference = `${((foreignMs / unknownMs - 1) * 100).toFixed(0)} %`;
    console.log(`| ${probe.operationId} | ${foreignMs.toFixed(2)} | ${unknownMs.toFixed(2)} | ${difference} |`);
  }
  await pool.end();
  hangUp();
  for (const sentence of violations.slice(0, 20)) console.log(`\n✕ ${sentence}`);
  console.log(`\n${violations.length} violations, SEED=${seed}`);
  if (violations.length > 0) process.exitCode = 1;
});

/** Two companies with data, and a user who belongs to both: admin of the first, employee of the second. */
async function createSides(service: AttackedService): Promise<[Side, Side]> {
  const labels = ['zqalpha', 'zqbravo'] as const;
  const targets = [await createTarget(service, labels[0]), await createTarget(service, labels[1])] as const;
  const companyIds = targets.map(({ callers }) => callers.admin.company_id);
  const email = 'both@example.com';
  for (const [at, role] of (['admin', 'employee'] as const).entries()) {
    const job = { position: labels[at]!, department: labels[at]! };
    await createPerson(service.db, companyIds[at]!, { name: 'Both', email, role, password, ...job });
  }
  const token = await signInAs(service, email);
  const side = async (at: 0 | 1): Promise<Side> => ({
    label: labels[at],
    world: await createWorld(targets[at], labels[at]),
    both: { token, company_id: companyIds[at]! },
  });
  return [await side(0), await side(1)];
}
