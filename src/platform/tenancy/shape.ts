/** Whether a statement consists of parts that the guard knows, and calls no other functions than those on the list. */
import * as known from './known.ts';
import { listOf, nodeOf, type Refuse, type Tree, wordsOf } from './tree.ts';

export function checkShape(statement: unknown, refuse: Refuse): void {
  const columns = columnsOfFunctions(statement);
  eachNode(statement, (kind, node) => {
    for (const field of fieldsIn(node)) {
      if (!known.fields.has(field)) refuse('shape', `${field} of ${kind} is nothing the guard knows`);
    }
    if (!known.nodes.has(kind) && !known.statements.has(kind)) refuse('shape', `${kind} is nothing the guard knows`);
    if (kind === 'FuncCall') checkFunction(node, refuse);
    if (kind === 'ColumnRef') checkColumn(node, columns, refuse);
    if (kind === 'A_Indirection') checkPartOfValue(node, refuse);
  });
}

/** Calls `visit` for every node, wherever it stands: a key that begins with a capital is its kind. */
function eachNode(node: unknown, visit: (kind: string, fields: Tree) => void): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (isKind(key)) visit(key, value as Tree);
    eachNode(value, visit);
  }
}

/** The names of a node's fields, and of those of what stands in it without a kind of its own, such as an alias. */
function fieldsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(fieldsIn);
  return Object.entries(node).flatMap(([key, value]) => (isKind(key) ? [] : [key, ...fieldsIn(value)]));
}

function isKind(key: string): boolean {
  return /^[A-Z]/.test(key);
}

function checkFunction(call: Tree, refuse: Refuse): void {
  const [name = '', schema = 'pg_catalog'] = wordsOf(call.funcname).reverse() as string[];
  const list = schema === 'graphile_worker' ? known.queue_functions : known.functions;
  const is_schema_known = schema === 'pg_catalog' || schema === 'graphile_worker';
  if (!is_schema_known || !list.has(name)) refuse('function', `${name} is not on the list of functions`);
  if (name === 'set_config') checkSetting(call, refuse);
}

/** The role decides what the application may do, and the search path which tables a name stands for. */
function checkSetting(call: Tree, refuse: Refuse): void {
  const name = (nodeOf('A_Const', listOf(call.args)[0])?.sval as Tree | undefined)?.sval;
  if (!known.settings.has(String(name))) refuse('function', `${name ?? 'this'} is no setting to be changed`);
}

/**
 * Postgres takes `x.f` for `f(x)` when x has no column f. A row is no argument of a function that could do harm, but what a
 * function in `from` returns may be a text: so its columns are those that the statement names.
 */
function checkColumn({ fields }: Tree, columns: ReadonlyMap<string, ReadonlySet<string>>, refuse: Refuse): void {
  const [column, table] = wordsOf(fields).reverse();
  if (table === undefined || column === undefined) return;
  const named = columns.get(table);
  if (named && !named.has(column)) refuse('function', `${table} has no column that is named ${column}`);
}

/** The same of `(x).f`; what is left is an element of an array. */
function checkPartOfValue({ indirection }: Tree, refuse: Refuse): void {
  const is_element = listOf(indirection).every((part) => nodeOf('A_Indices', part));
  if (!is_element) refuse('function', 'a function can be called as if it were a field of a value');
}

/** What functions in `from` return, by alias; where several have the same alias, what all of them name. */
function columnsOfFunctions(statement: unknown): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  eachNode(statement, (kind, { alias, coldeflist, functions }) => {
    if (kind !== 'RangeFunction') return;
    const { aliasname, colnames } = (alias ?? {}) as Tree;
    const called = nodeOf('FuncCall', listOf(nodeOf('List', listOf(functions)[0])?.items)[0]);
    const name = String(aliasname ?? wordsOf(called?.funcname).at(-1));
    const defined = listOf(coldeflist).map((each) => nodeOf('ColumnDef', each)?.colname);
    const columns = new Set([...wordsOf(colnames), ...defined].map(String));
    const before = found.get(name);
    found.set(name, before ? new Set([...columns].filter((column) => before.has(column))) : columns);
  });
  return found;
}
