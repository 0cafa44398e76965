// Checks random statements with the guard, and runs accepted ones with and without another company's rows.

import type { Rule } from '../../../src/platform/tenancy/tree.ts';
import { Refusal, validateStatement } from '../../../src/platform/tenancy/validate-statement.ts';
import { createRandom } from '../../random/random.ts';
import { makeStatement } from './statements.ts';
import { company, createWorld, otherCompany, type World } from './worlds.ts';

export interface Proof {
  generated: number;
  allowed: number;
  /** Accepted statements that Postgres rejected in both databases, for unrelated reasons. */
  failed: number;
  /** By rule; `parameter` when company_id was compared with something other than the company. */
  refused: Map<Rule | 'parameter' | 'syntax', number>;
  /** Accepted statements that behave differently when another company exists. */
  violations: string[];
  judgingMs: number;
}

interface ProofOptions {
  urls: readonly [string, string];
  count: number;
  seed: number;
  /** A disabled rule, to see its effect. */
  resting?: Rule | undefined;
  stopsEarly?: boolean;
}

export async function proveGuard({ urls, count, seed, resting, stopsEarly }: ProofOptions): Promise<Proof> {
  const random = createRandom(seed);
  const proof: Proof = { generated: 0, allowed: 0, failed: 0, refused: new Map(), violations: [], judgingMs: 0 };
  const alone = await createWorld(urls[0], [company]);
  const together = await createWorld(urls[1], [company, otherCompany]);
  try {
    const { theirs } = await together.run('delete from events where false');
    for (; proof.generated < count; proof.generated++) {
      if (stopsEarly && proof.violations.length > 0) break;
      const sql = makeStatement(random);
      const startedMs = performance.now();
      const why = refusalOf(sql, resting);
      proof.judgingMs += performance.now() - startedMs;
      if (why) proof.refused.set(why, (proof.refused.get(why) ?? 0) + 1);
      else await compare(sql, { alone, together, theirs }, proof);
    }
  } finally {
    await Promise.all([alone.close(), together.close()]);
  }
  return proof;
}

/** Like the guard, with the company as the first parameter; the second one is another company. */
function refusalOf(sql: string, resting: Rule | undefined): Rule | 'parameter' | 'syntax' | undefined {
  try {
    const positions = validateStatement(sql, (rule, why) => {
      if (rule !== resting) throw new Refusal(rule, why);
    });
    return positions.every((position) => position === 0) ? undefined : 'parameter';
  } catch (error) {
    return error instanceof Refusal ? error.rule : 'syntax';
  }
}

interface Worlds {
  alone: World;
  together: World;
  /** The other company's unchanged rows. */
  theirs: string | undefined;
}

async function compare(sql: string, { alone, together, theirs }: Worlds, proof: Proof): Promise<void> {
  proof.allowed++;
  const [without, beside] = await Promise.all([alone.run(sql), together.run(sql)]);
  if (without.hasFailed && beside.hasFailed) proof.failed++;
  const isSame = without.found === beside.found && without.ours === beside.ours;
  const leavesOthers = beside.theirs === undefined || (without.theirs === '' && beside.theirs === theirs);
  if (!isSame || !leavesOthers) proof.violations.push(sql);
}
