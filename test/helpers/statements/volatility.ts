/**
 * What Postgres says of the functions that statements call: whether the same arguments give the same value always
 * (immutable), within a statement (stable), or never (volatile). See "Function Volatility Categories" in its documentation.
 */
import { listOf, nodeOf, type Tree, wordsOf } from '../../../src/platform/tenancy/tree.ts';

type Volatility = 'immutable' | 'stable' | 'volatile';

/**
 * Of every function that the guard lets through, in its least favourable form. `volatility.test.ts` compares it with the
 * catalogue of Postgres.
 */
export const functions: Record<Exclude<Volatility, 'immutable'>, ReadonlySet<string>> & { immutable: Set<string> } = {
  immutable: words(`
    count sum min max mode array_agg row_number
    json_array_elements jsonb_array_elements unnest array_position array_remove cardinality
    make_interval lower initcap left right strpos split_part substring regexp_replace decode floor hashtextextended sha256
    search_form search_keys search_term_keys audit_field_keys`),
  // `extract`, `to_timestamp` and `timezone` are so for some of their arguments only.
  stable: words(`
    now statement_timestamp extract to_timestamp json_agg jsonb_agg json_build_array jsonb_build_object json_to_recordset
    convert_to current_setting pg_backend_pid timezone`),
  volatile: words(`
    clock_timestamp gen_random_uuid set_config pg_notify pg_advisory_xact_lock pg_advisory_xact_lock_shared
    pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared remove_old_audit_entries`),
};

/** Of one node of a statement, without those inside of it; undefined for what computes nothing. */
export function volatilityOf(kind: string, node: Tree): Volatility | undefined {
  if (kind === 'FuncCall') return ofFunction(node);
  if (kind === 'SQLValueFunction') return 'stable'; // current_timestamp and the like
  // To add an interval to a time depends on the time zone of the session.
  if (kind === 'A_Expr' && ['+', '-'].includes(String(wordsOf(node.name)[0]))) {
    return [node.lexpr, node.rexpr].some(isInterval) ? 'stable' : 'immutable';
  }
  return undefined;
}

/** What nobody has looked at yet is taken for the worst. */
function ofFunction({ funcname }: Tree): Volatility {
  const [name, schema] = wordsOf(funcname).reverse();
  // `extract (… from …)` and `at time zone`, which is immutable.
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

/** Of a time and an interval: a time. */
function isDifference({ name, lexpr, rexpr }: Tree): boolean {
  return ['+', '-'].includes(String(wordsOf(name)[0])) && !(isInterval(lexpr) && isInterval(rexpr));
}

function words(text: string): Set<string> {
  return new Set(listOf(text.trim().split(/\s+/)) as string[]);
}
