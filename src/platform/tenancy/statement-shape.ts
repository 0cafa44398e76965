/** Checks that a statement consists only of allowlisted parts and calls only allowlisted functions. */
import * as known from './allowlist.ts';
import { listOf, nodeOf, type Refuse, type Tree, wordsOf } from './tree.ts';

export function checkShape(statement: unknown, refuse: Refuse): void {
  const columns = columnsOfFunctions(statement);
  const field = (name: string) => {
    if (!known.fields.has(name)) refuse('shape', `${name} is nothing the guard knows`);
  };
  const node = (kind: string, fields: Tree) => {
    if (!known.nodes.has(kind) && !known.statements.has(kind)) refuse('shape', `${kind} is nothing the guard knows`);
    if (kind === 'FuncCall') checkFunction(fields, refuse);
    if (kind === 'ColumnRef') checkColumn(fields, columns, refuse);
    if (kind === 'A_Indirection') checkPartOfValue(fields, refuse);
  };
  eachPart(statement, node, field);
}

/** Visits every node and field name. Keys that start with a capital are node kinds. */
function eachPart(part: unknown, node: (kind: string, fields: Tree) => void, field: (name: string) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (Array.isArray(part)) {
    for (const each of part) eachPart(each, node, field);
    return;
  }
  for (const key in part) {
    const value = (part as Tree)[key];
    if (key.charCodeAt(0) < firstSmallLetter) node(key, value as Tree);
    else field(key);
    eachPart(value, node, field);
  }
}

const firstSmallLetter = 'a'.charCodeAt(0);

function checkFunction(call: Tree, refuse: Refuse): void {
  const [name = '', schema = 'pg_catalog'] = wordsOf(call.funcname).reverse() as string[];
  const list = schema === 'graphile_worker' ? known.queueFunctions : known.functions;
  const isSchemaKnown = schema === 'pg_catalog' || schema === 'graphile_worker';
  if (!isSchemaKnown || !list.has(name)) refuse('function', `${name} is not on the list of functions`);
  if (name === 'set_config') checkSetting(call, refuse);
}

/** The role decides what the application may do, and the search path decides which tables names refer to. */
function checkSetting(call: Tree, refuse: Refuse): void {
  const name = (nodeOf('A_Const', listOf(call.args)[0])?.sval as Tree | undefined)?.sval;
  if (!known.settings.has(String(name))) refuse('function', `${name ?? 'this'} is no setting to be changed`);
}

/**
 * Postgres reads `x.f` as `f(x)` when x has no column f. A row is harmless as an argument, but a function in `from` may return
 * text, so only the columns that the statement declares are allowed.
 */
function checkColumn({ fields }: Tree, columns: ReadonlyMap<string, ReadonlySet<string>>, refuse: Refuse): void {
  const [column, table] = wordsOf(fields).reverse();
  if (table === undefined || column === undefined) return;
  const named = columns.get(table);
  if (named && !named.has(column)) refuse('function', `${table} has no column that is named ${column}`);
}

/** The same for `(x).f`; only array subscripts remain allowed. */
function checkPartOfValue({ indirection }: Tree, refuse: Refuse): void {
  const isElement = listOf(indirection).every((part) => nodeOf('A_Indices', part));
  if (!isElement) refuse('function', 'a function can be called as if it were a field of a value');
}

/** Declared columns of functions in `from`, by alias; for a repeated alias, the columns common to all. */
function columnsOfFunctions(statement: unknown): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const node = (kind: string, { alias, coldeflist, functions }: Tree) => {
    if (kind !== 'RangeFunction') return;
    const { aliasname, colnames } = (alias ?? {}) as Tree;
    const called = nodeOf('FuncCall', listOf(nodeOf('List', listOf(functions)[0])?.items)[0]);
    const name = String(aliasname ?? wordsOf(called?.funcname).at(-1));
    const defined = listOf(coldeflist).map((each) => nodeOf('ColumnDef', each)?.colname);
    const columns = new Set([...wordsOf(colnames), ...defined].map(String));
    const before = found.get(name);
    found.set(name, before ? new Set([...columns].filter((column) => before.has(column))) : columns);
  };
  eachPart(statement, node, () => {});
  return found;
}
