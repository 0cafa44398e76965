/** The allowlist of everything a statement may consist of. Anything else is refused. */
import { globalTables, queueTableNames, tenantTableNames } from './tables.ts';

export const tenantTables: ReadonlySet<string> = new Set(tenantTableNames);
/** The application's own tables, in its own schema. */
export const ownTables: ReadonlySet<string> = new Set([...tenantTableNames, ...globalTables]);
export const queueTables: ReadonlySet<string> = new Set(queueTableNames);

/** No schema changes, locks, or bulk copies: migrations use an unguarded connection. */
export const statements: ReadonlySet<string> = words(`
  SelectStmt InsertStmt UpdateStmt DeleteStmt TransactionStmt VariableSetStmt DeclareCursorStmt FetchStmt`);

/** Settings for one transaction: only for speed and timeouts, never a role or search path. */
export const settings: ReadonlySet<string> = words(`
  enable_nestloop cursor_tuple_fraction idle_in_transaction_session_timeout synchronous_commit`);

/** Functions that can't read a table by a name or a statement passed as an argument. */
export const functions: ReadonlySet<string> = words(`
  count sum min max mode array_agg json_agg jsonb_agg json_build_array jsonb_build_object row_number
  json_array_elements jsonb_array_elements json_to_recordset unnest array_position array_remove cardinality
  now clock_timestamp statement_timestamp make_interval extract to_timestamp timezone
  lower initcap left right strpos split_part substring regexp_replace convert_to decode
  floor hashtextextended sha256 gen_random_uuid
  set_config current_setting pg_notify pg_backend_pid
  pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared
  search_form search_keys search_term_keys audit_field_keys remove_old_audit_entries`);

/** Functions that change rows of the company passed as the first argument. */
export const companyFunctions: ReadonlySet<string> = words('remove_old_audit_entries');

export const queueFunctions: ReadonlySet<string> = words('add_job add_jobs complete_jobs remove_job reschedule_jobs');

export const nodes: ReadonlySet<string> = words(`
  SelectStmt InsertStmt UpdateStmt DeleteStmt
  ResTarget ColumnRef ParamRef A_Const A_Expr A_ArrayExpr A_Indirection A_Indices A_Star BoolExpr NullTest
  CaseExpr CaseWhen CoalesceExpr MinMaxExpr RowExpr FuncCall SubLink TypeCast CollateClause NamedArgExpr
  RangeVar RangeSubselect RangeFunction JoinExpr CommonTableExpr ColumnDef
  SortBy LockingClause IndexElem List String Integer`);

export const fields: ReadonlySet<string> = words(`
  location inh relpersistence limitOption op override
  stmt withClause ctes recursive ctename aliascolnames ctematerialized ctequery
  targetList fromClause whereClause groupClause havingClause distinctClause sortClause limitOffset
  limitCount lockingClause valuesLists all larg rarg
  relation cols selectStmt onConflictClause action infer indexElems ordering nulls_ordering returningClause exprs usingClause
  relname schemaname alias aliasname colnames lateral subquery functions ordinality coldeflist colname typeName
  is_local jointype quals
  name val fields number ival fval sval boolval bsval isnull kind lexpr rexpr rexpr_list_start rexpr_list_end
  elements list_start list_end arg indirection uidx lidx is_slice boolop args nulltesttype
  expr result defresult row_format
  funcname agg_filter agg_order agg_distinct agg_star agg_within_group over funcformat argnumber
  partitionClause orderClause frameOptions
  subLinkType testexpr subselect names typemod arrayBounds collname
  node sortby_dir sortby_nulls lockedRels strength waitPolicy items
  options savepoint_name portalname query direction howMany`);

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}
