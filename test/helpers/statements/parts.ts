/** The parts of a statement, as far as a cluster treats them differently. */
import { listOf, nodeOf, type Tree } from '../../../src/platform/tenancy/tree.ts';

/** A query of a statement's `with`, or what is left of the statement without them. */
export interface Part {
  /** As `UpdateStmt`. */
  kind: string;
  body: Tree;
  /** The table that it changes. */
  target: string | undefined;
}

const changing = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** In the order in which a cluster carries them out. Only in these may a statement change something. */
export function partsOf(statement: Tree): Part[] {
  const [kind] = Object.keys(statement) as [string];
  const { withClause, ...body } = statement[kind] as Tree;
  const queries = listOf((withClause as Tree | undefined)?.ctes).map(
    (each) => nodeOf('CommonTableExpr', each)?.ctequery,
  );
  return [...queries.map((query) => partOf(query as Tree)), partOf({ [kind]: body })];
}

function partOf(query: Tree): Part {
  const [[kind, body]] = Object.entries(query) as [[string, Tree]];
  const { relname } = (body.relation ?? {}) as Tree;
  return { kind, body, target: changing.has(kind) ? String(relname) : undefined };
}

/** The names of tables, wherever they stand; with their schema where they are not in the one of the application. */
export function tablesIn(node: unknown): string[] {
  const found: string[] = [];
  visit(node, (_, fields) => {
    if (typeof fields.relname !== 'string') return;
    const { schemaname } = fields;
    found.push(schemaname && schemaname !== 'public' ? `${schemaname}.${fields.relname}` : fields.relname);
  });
  return found;
}

/** The names of the queries of `with`, wherever they stand. */
export function namedQueries(node: unknown): Set<string> {
  return new Set(nodesIn(node, ['CommonTableExpr']).map(({ ctename }) => String(ctename)));
}

/** All nodes of these kinds, wherever they stand. */
export function nodesIn(node: unknown, kinds: readonly string[]): Tree[] {
  const found: Tree[] = [];
  visit(node, (kind, fields) => {
    if (kinds.includes(kind)) found.push(fields);
  });
  return found;
}

export function contains(node: unknown, matches: (kind: string, fields: Tree) => boolean): boolean {
  let found = false;
  visit(node, (kind, fields) => {
    found ||= matches(kind, fields);
  });
  return found;
}

/** Every object of a tree, with the name under which it stands: a node has its kind there. */
function visit(node: unknown, meet: (kind: string, fields: Tree) => void): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) meet(key, value as Tree);
    visit(value, meet);
  }
}
