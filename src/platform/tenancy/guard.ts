/**
 * The last line of defence between companies: reads every statement before it is first sent and refuses it unless each
 * tenant table in it is bound to a company, and unless that company is the one the statement was made for.
 *
 * Bound means that, in the part of the statement where the table stands, `company_id` must equal a parameter: by a
 * condition that holds for every row (`where` or `join … on`, joined by `and`), directly or through another table's
 * company_id, or as the value of an inserted row. What is not on the lists of `known.ts` is refused, and so is a name that
 * hides another. It runs once per statement text; afterwards a check compares parameters only.
 */
import { judge } from './judge.ts';

const maxRemembered = 2_000;
const remembered = new Map<string, Verdict>();

/** A statement that would reach a tenant table without naming the one company it acts for. */
export class TenantGuardError extends Error {
  override name = 'TenantGuardError';
}

/** Positions (from 0) of the parameters that must hold the company; or why the statement is refused. */
type Verdict = { companyParameters: readonly number[] } | { refused: string };

/**
 * @param company_id the company the statement acts for; undefined where no tenant table may be touched
 * @throws TenantGuardError
 */
export function guard(sql: string, parameters: readonly unknown[], companyId: string | undefined): void {
  const verdict = verdictOf(sql);
  if ('refused' in verdict) throw new TenantGuardError(`${verdict.refused}: ${sql}`);
  for (const position of verdict.companyParameters) {
    if (parameters[position] === companyId && companyId !== undefined) continue;
    throw new TenantGuardError(`parameter $${position + 1} is not the company the statement acts for: ${sql}`);
  }
}

function verdictOf(sql: string): Verdict {
  const known = remembered.get(sql);
  if (known) return known;
  const verdict = analyse(sql);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(sql, verdict);
  return verdict;
}

function analyse(sql: string): Verdict {
  try {
    return { companyParameters: judge(sql) };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}
