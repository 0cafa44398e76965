// Statements must name their columns. During an upgrade, a newer version may add a column, and a prepared statement that selects
// all columns then fails ("cached plan must not change result type").
import ts from 'typescript';

const unnamed = new Set(['selectAll', 'returningAll']);

/** `*` in SQL, except with a column list beside it: `with read (id, place) as (select * from unnest(…))`. */
const star = /\b(?:select|returning)\s+(?:(?:all|distinct)\s+)?(?:[^;()]*,\s*)?(?:[\w"]+\.)?\*(?!\s+from\s+unnest\b)/i;

/** @returns statements without named columns: `path:line: what` */
export function unnamedColumns(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node, message: string) => {
    found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${message}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && unnamed.has(node.name.text)) {
      report(node.name, `name the columns in place of ${node.name.text}()`);
    }
    const text = textOf(node);
    if (text !== undefined && star.test(text)) report(node, 'name the columns in place of *');
    if (!ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
    else for (const { expression } of node.templateSpans) visit(expression);
  };
  visit(file);
  return found;
}

/** Content of a string literal, or of a template without its expressions. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('value');
}
