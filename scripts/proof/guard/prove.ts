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
  validationMs: number;
}

interface ProofOptions {
  urls: readonly [string, string];
  count: number;
  seed: number;
  /** A disabled rule, to see its effect. */
  disabledRule?: Rule | undefined;
  stopsEarly?: boolean;
}

export async function proveGuard({ urls, count, seed, disabledRule, stopsEarly }: ProofOptions): Promise<Proof> {
  const random = createRandom(seed);
  const proof: Proof = { generated: 0, allowed: 0, failed: 0, refused: new Map(), violations: [], validationMs: 0 };
  const alone = await createWorld(urls[0], [company]);
  const together = await createWorld(urls[1], [company, otherCompany]);
  try {
    const { theirs } = await together.run('delete from events where false');
    for (; proof.generated < count; proof.generated++) {
      if (stopsEarly && proof.violations.length > 0) break;
      const sql = makeStatement(random);
      const startedMs = performance.now();
      const reason = refusalOf(sql, disabledRule);
      proof.validationMs += performance.now() - startedMs;
      if (reason) proof.refused.set(reason, (proof.refused.get(reason) ?? 0) + 1);
      else await compare(sql, { alone, together, theirs }, proof);
    }
  } finally {
    await Promise.all([alone.close(), together.close()]);
  }
  return proof;
}

/** Like the guard, with the company as the first parameter; the second one is another company. */
function refusalOf(sql: string, disabledRule: Rule | undefined): Rule | 'parameter' | 'syntax' | undefined {
  try {
    const positions = validateStatement(sql, (rule, reason) => {
      if (rule !== disabledRule) throw new Refusal(rule, reason);
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
  const [aloneOutcome, togetherOutcome] = await Promise.all([alone.run(sql), together.run(sql)]);
  if (aloneOutcome.hasFailed && togetherOutcome.hasFailed) proof.failed++;
  const isSame = aloneOutcome.found === togetherOutcome.found && aloneOutcome.ours === togetherOutcome.ours;
  const leavesOthers =
    togetherOutcome.theirs === undefined || (aloneOutcome.theirs === '' && togetherOutcome.theirs === theirs);
  if (!isSame || !leavesOthers) proof.violations.push(sql);
}
