// A statement names the columns that it reads. A newer version of the service may add one while this one runs: then a
// statement that Postgres keeps, and that asks for all columns, fails ("cached plan must not change result type").
import ts from 'typescript';

/** Methods of the query builder. */
const unnamed = new Set(['selectAll', 'returningAll']);

/** In SQL, but not what has its columns named beside it: `with read (id, place) as (select * from unnest(…))`. */
const star = /\b(?:select|returning)\s+(?:(?:all|distinct)\s+)?(?:[^;()]*,\s*)?(?:[\w"]+\.)?\*(?!\s+from\s+unnest\b)/i;

/** @returns where columns are not named: `path:line: what` */
export function unnamedColumns(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const say = (node: ts.Node, what: string) => {
    found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && unnamed.has(node.name.text)) {
      say(node.name, `name the columns in place of ${node.name.text}()`);
    }
    const text = textOf(node);
    if (text !== undefined && star.test(text)) say(node, 'name the columns in place of *');
    if (!ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
    else for (const { expression } of node.templateSpans) visit(expression);
  };
  visit(file);
  return found;
}

/** Of a text in quotes, or of a template without what is put in. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('value');
}
