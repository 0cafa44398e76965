// Searches for a statement that the tenant guard accepts, but that behaves differently when another company exists.
//   COUNT=100000 statements; SEED=… repeats a run; RULE=alias disables a rule, to verify that a violation is found
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Rule } from '../../../src/platform/tenancy/tree.ts';
import { ownPostgres } from '../../run/own-postgres.ts';
import { proveGuard } from './prove.ts';

const seed = Number(process.env.SEED || Date.now() % 2 ** 31);
const count = Number(process.env.COUNT || 100_000);
const disabledRule = process.env.RULE as Rule | undefined;

const folder = await mkdtemp(join(tmpdir(), 'prove-guard-'));
const server = await ownPostgres(folder, { fsync: 'off', synchronous_commit: 'off' });
try {
  console.log(`SEED=${seed} COUNT=${count}${disabledRule ? ` RULE=${disabledRule}` : ''}`);
  const urls = [await emptyDatabase('alone'), await emptyDatabase('together')] as const;
  const proof = await proveGuard({ urls, count, seed, disabledRule });
  const share = (number: number) => `${((number / proof.generated) * 100).toFixed(1)} %`;
  console.log(
    `${proof.generated} statements made, ${Math.round((proof.validationMs / proof.generated) * 1_000)} µs to validate each`,
  );
  console.log(
    `${proof.allowed} allowed (${share(proof.allowed)}); Postgres refused ${proof.failed} of them everywhere`,
  );
  for (const [rule, number] of [...proof.refused].sort((one, other) => other[1] - one[1])) {
    console.log(`${number} refused (${share(number)}): ${rule}`);
  }
  console.log(`${proof.violations.length} behaved differently with another company`);
  for (const sql of proof.violations.slice(0, 5)) console.log(`\n  ${sql}`);
  if (proof.violations.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function emptyDatabase(name: string): Promise<string> {
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(`create database ${name} template template0`);
  await client.end();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}
