// Extracts texts from the sources: `t` and `tn` in the service and its templates, `t` and `tn` in the console. Compiles
// Eta templates to JavaScript first, and uses TypeScript's parser for all of it.
import { Eta } from 'eta';
import ts from 'typescript';

const tags = ['t'];
const counters = ['tn'];

export interface Said {
  key: string;
  plural?: string;
  /** Source expressions of the placeholders `{1}`, `{2}` … */
  places: string[];
}

/** @returns texts in source order */
export function saidIn(path: string, source: string): Said[] {
  const code = path.endsWith('.eta') ? new Eta().compileToString(source) : source;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const found: Said[] = [];
  visit(file);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && isNamed(node.expression, counters)) found.push(counted(node, path));
    else if (isSay(node)) found.push(textOf(node));
    else ts.forEachChild(node, visit);
    // Placeholders may contain texts as well.
    if (isSay(node)) ts.forEachChild(node.template, visit);
  }
}

function counted(call: ts.CallExpression, path: string): Said {
  const [, one, other] = call.arguments;
  if (!one || !other || !isSay(one) || !isSay(other)) {
    throw new Error(`${path}: tn takes a number and two texts: ${call.getText()}`);
  }
  const { key: plural, places } = textOf(other);
  return { key: textOf(one).key, plural, places };
}

function textOf({ template }: ts.TaggedTemplateExpression): Said {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { key: template.text, places: [] };
  const parts = template.templateSpans.map(({ literal }, index) => `{${index + 1}}${literal.text}`);
  const places = template.templateSpans.map(({ expression }) => expression.getText().replace(/\s+/g, ' ').slice(0, 60));
  return { key: template.head.text + parts.join(''), places };
}

function isSay(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && isNamed(node.tag, tags);
}

/** `t`, or `it.t` in a template. */
function isNamed(node: ts.Expression, names: readonly string[]): boolean {
  if (ts.isPropertyAccessExpression(node)) return names.includes(node.name.text);
  return ts.isIdentifier(node) && names.includes(node.text);
}
