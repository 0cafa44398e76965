/** Splits a statement into the parts that a cluster treats differently. */
import { listOf, nodeOf, type Tree } from '../../../src/platform/tenancy/tree.ts';

/** A CTE of a statement, or the statement without its CTEs. */
export interface Part {
  kind: string;
  body: Tree;
  target: string | undefined;
}

const modifyingKinds = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** In the order in which a cluster executes them. Only these parts may change data. */
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
  return { kind, body, target: modifyingKinds.has(kind) ? String(relname) : undefined };
}

/** Table names at any depth; schema-qualified outside the application's schema. */
export function tablesIn(node: unknown): string[] {
  const found: string[] = [];
  visit(node, (_, fields) => {
    if (typeof fields.relname !== 'string') return;
    const { schemaname } = fields;
    found.push(schemaname && schemaname !== 'public' ? `${schemaname}.${fields.relname}` : fields.relname);
  });
  return found;
}

/** Names of CTEs at any depth. */
export function namedQueries(node: unknown): Set<string> {
  return new Set(nodesIn(node, ['CommonTableExpr']).map(({ ctename }) => String(ctename)));
}

/** All nodes of these kinds at any depth. */
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

/** Visits every object of a tree with its key, which for a node is its kind. */
function visit(node: unknown, visitor: (kind: string, fields: Tree) => void): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) visitor(key, value as Tree);
    visit(value, visitor);
  }
}
