/** All that a statement of the application may consist of. What is not here is refused. */
import { global_tables, queue_tables, tenant_tables } from './tables.ts';

export const tenantTables: ReadonlySet<string> = new Set(tenant_tables);
/** The tables of the application, which stand in its own schema. */
export const ownTables: ReadonlySet<string> = new Set([...tenant_tables, ...global_tables]);
export const queueTables: ReadonlySet<string> = new Set(queue_tables);

/** Schema changes, locks and bulk copies are none of these: migrations run on a connection without a guard. */
export const statements: ReadonlySet<string> = words(`
  SelectStmt InsertStmt UpdateStmt DeleteStmt TransactionStmt VariableSetStmt DeclareCursorStmt FetchStmt`);

/** What may be set for a transaction: what makes it faster or ends it, and never a role or a search path. */
export const settings: ReadonlySet<string> = words(`
  enable_nestloop cursor_tuple_fraction idle_in_transaction_session_timeout synchronous_commit`);

/** Functions of Postgres and of the migrations that read no table by a name or a statement they are given. */
export const functions: ReadonlySet<string> = words(`
  count sum min max avg any_value bool_and bool_or every array_agg string_agg
  json_agg jsonb_agg json_object_agg jsonb_object_agg json_build_object jsonb_build_object jsonb_build_array
  json_array_elements json_array_elements_text jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_each jsonb_each_text jsonb_object_keys jsonb_set jsonb_strip_nulls jsonb_typeof to_json to_jsonb row_to_json
  json_to_recordset jsonb_to_recordset
  mode row_number rank dense_rank lag lead first_value last_value
  now clock_timestamp statement_timestamp make_interval date_trunc extract to_timestamp to_char timezone age
  lower upper initcap left right length char_length octet_length substring strpos position split_part concat concat_ws
  replace regexp_replace translate trim btrim ltrim rtrim lpad reverse md5 sha256 encode decode convert_to
  hashtextextended like_escape similar_to_escape
  array_length cardinality array_position array_remove array_append array_to_string unnest generate_series generate_subscripts
  round floor ceil ceiling abs mod power sqrt random gen_random_uuid
  set_config current_setting pg_notify pg_backend_pid txid_current pg_current_xact_id
  pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared
  pg_last_wal_replay_lsn pg_current_wal_insert_lsn pg_wal_lsn_diff
  search_form search_keys search_term_keys remove_old_audit_entries`);

/** Those of them that change rows of the company that is their first argument. */
export const company_functions: ReadonlySet<string> = words('remove_old_audit_entries');

export const queue_functions: ReadonlySet<string> = words('add_job add_jobs complete_jobs remove_job reschedule_jobs');

/** Kinds of nodes. */
export const nodes: ReadonlySet<string> = words(`
  SelectStmt InsertStmt UpdateStmt DeleteStmt
  ResTarget ColumnRef ParamRef A_Const A_Expr A_ArrayExpr A_Indirection A_Indices A_Star BoolExpr BooleanTest NullTest
  CaseExpr CaseWhen CoalesceExpr MinMaxExpr RowExpr FuncCall SQLValueFunction SubLink TypeCast CollateClause SetToDefault
  MultiAssignRef NamedArgExpr
  RangeVar RangeSubselect RangeFunction JoinExpr CommonTableExpr ColumnDef
  SortBy WindowDef LockingClause IndexElem DefElem List String Integer Float Boolean`);

/** Fields of nodes. */
export const fields: ReadonlySet<string> = words(`
  location inh relpersistence limitOption op override
  stmt withClause ctes recursive ctename aliascolnames ctematerialized ctequery cterecursive
  targetList fromClause whereClause groupClause groupDistinct havingClause windowClause distinctClause sortClause limitOffset
  limitCount lockingClause valuesLists all larg rarg
  relation cols selectStmt onConflictClause action infer indexElems ordering nulls_ordering returningClause exprs usingClause
  relname schemaname alias aliasname colnames lateral subquery functions ordinality is_rowsfrom coldeflist colname typeName
  is_local jointype quals rtindex
  name val fields number ival fval sval boolval bsval isnull kind lexpr rexpr rexpr_list_start rexpr_list_end
  elements list_start list_end arg indirection uidx lidx is_slice boolop args booltesttype nulltesttype
  expr result defresult row_format
  funcname agg_filter agg_order agg_distinct agg_star agg_within_group func_variadic over funcformat argnumber
  partitionClause orderClause frameOptions startOffset endOffset
  typmod subLinkType testexpr operName subselect names typemod typmods arrayBounds collname source colno ncolumns
  node sortby_dir sortby_nulls useOp lockedRels strength waitPolicy items
  options savepoint_name portalname query direction howMany defname defaction`);

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}
