/**
 * Volatility of the functions that statements call: the same arguments return the same value always (immutable), within
 * a statement (stable), or never (volatile). See "Function Volatility Categories" in the Postgres documentation.
 */
import { listOf, nodeOf, type Tree, wordsOf } from '../../../src/platform/tenancy/tree.ts';

type Volatility = 'immutable' | 'stable' | 'volatile';

/**
 * Every function that the guard allows, in its least favorable form. `volatility.test.ts` compares it with the Postgres catalog.
 */
export const functions: Record<Exclude<Volatility, 'immutable'>, ReadonlySet<string>> & { immutable: Set<string> } = {
  immutable: words(`
    count sum min max mode array_agg row_number
    json_array_elements jsonb_array_elements unnest array_position array_remove cardinality
    make_interval lower initcap left right strpos split_part substring regexp_replace decode floor hashtextextended sha256
    search_form search_keys search_term_keys audit_field_keys`),
  // `extract`, `to_timestamp`, and `timezone` are stable only for some arguments.
  stable: words(`
    now statement_timestamp extract to_timestamp json_agg jsonb_agg json_build_array jsonb_build_object json_to_recordset
    convert_to current_setting pg_backend_pid timezone`),
  volatile: words(`
    clock_timestamp gen_random_uuid set_config pg_notify pg_advisory_xact_lock pg_advisory_xact_lock_shared
    pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared remove_old_audit_entries`),
};

/** Volatility of a single node without its children; undefined if it computes nothing. */
export function volatilityOf(kind: string, node: Tree): Volatility | undefined {
  if (kind === 'FuncCall') return ofFunction(node);
  if (kind === 'SQLValueFunction') return 'stable'; // current_timestamp and similar
  // Adding an interval to a time depends on the session's time zone.
  if (kind === 'A_Expr' && ['+', '-'].includes(String(wordsOf(node.name)[0]))) {
    return [node.lexpr, node.rexpr].some(isInterval) ? 'stable' : 'immutable';
  }
  return undefined;
}

/** Unlisted functions count as volatile. */
function ofFunction({ funcname }: Tree): Volatility {
  const [name, schema] = wordsOf(funcname).reverse();
  // `extract (… from …)` and `at time zone` are immutable.
  if (schema === 'pg_catalog' && name === 'timezone') return 'immutable';
  if (functions.immutable.has(String(name))) return 'immutable';
  return functions.stable.has(String(name)) ? 'stable' : 'volatile';
}

function isInterval(node: unknown): boolean {
  const cast = nodeOf('TypeCast', node);
  if (cast) return wordsOf((cast.typeName as Tree).names).at(-1) === 'interval';
  const call = nodeOf('FuncCall', node);
  if (call) return wordsOf(call.funcname).at(-1) === 'make_interval';
  const product = nodeOf('A_Expr', node);
  return product !== undefined && [product.lexpr, product.rexpr].some(isInterval) && !isDifference(product);
}

/** Whether the operation yields a time rather than an interval. */
function isDifference({ name, lexpr, rexpr }: Tree): boolean {
  return ['+', '-'].includes(String(wordsOf(name)[0])) && !(isInterval(lexpr) && isInterval(rexpr));
}

function words(text: string): Set<string> {
  return new Set(listOf(text.trim().split(/\s+/)) as string[]);
}
