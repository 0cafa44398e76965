/**
 * The last line of defense between tenants: parses every statement before its first use, and refuses it unless each tenant table
 * is bound to a company, and that company is the one the statement runs for.
 *
 * A table is bound if, in its part of the statement, `company_id` must equal a parameter: by a condition that holds for every row
 * (`where` or `join … on`, combined by `and`), directly or through another table's company_id, or as the value of an inserted
 * row. Anything not on the allowlist in `known.ts` is refused, and so are names that shadow others. The analysis is cached by
 * statement text; afterwards only parameters are compared.
 */
import { validateStatement } from './validate-statement.ts';

const maxRemembered = 2_000;
const verdicts = new Map<string, Verdict>();

/** A statement that could reach rows of another company. */
export class TenantGuardError extends Error {
  override name = 'TenantGuardError';
}

/** Positions (from 0) of the parameters that must hold the company, or why the statement is refused. */
type Verdict = { companyParameters: readonly number[] } | { refused: string };

/** @param companyId undefined where tenant tables are off limits @throws TenantGuardError */
export function guard(sql: string, parameters: readonly unknown[], companyId: string | undefined): void {
  const verdict = verdictOf(sql);
  if ('refused' in verdict) throw new TenantGuardError(`${verdict.refused}: ${sql}`);
  for (const position of verdict.companyParameters) {
    if (parameters[position] === companyId && companyId !== undefined) continue;
    throw new TenantGuardError(`parameter $${position + 1} is not the company the statement acts for: ${sql}`);
  }
}

function verdictOf(sql: string): Verdict {
  const known = verdicts.get(sql);
  if (known) return known;
  const verdict = analyse(sql);
  if (verdicts.size >= maxRemembered) verdicts.clear();
  verdicts.set(sql, verdict);
  return verdict;
}

function analyse(sql: string): Verdict {
  try {
    return { companyParameters: validateStatement(sql) };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}
