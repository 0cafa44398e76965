// Extracts texts from the sources: `t` and `tn` in the service and its templates, `t` and `tn` in the console. Compiles
// Eta templates to JavaScript first, and uses TypeScript's parser for all of it.
import { Eta } from 'eta';
import ts from 'typescript';

const tags = ['t'];
const counters = ['tn'];

export interface SourceText {
  key: string;
  plural?: string;
  /** Source expressions of the placeholders `{1}`, `{2}` … */
  placeholders: string[];
}

/** @returns texts in source order */
export function textsIn(path: string, source: string): SourceText[] {
  const code = path.endsWith('.eta') ? new Eta().compileToString(source) : source;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const found: SourceText[] = [];
  visit(file);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && isNamed(node.expression, counters)) found.push(counted(node, path));
    else if (isTextTemplate(node)) found.push(textOf(node));
    else ts.forEachChild(node, visit);
    // Placeholders may contain texts as well.
    if (isTextTemplate(node)) ts.forEachChild(node.template, visit);
  }
}

function counted(call: ts.CallExpression, path: string): SourceText {
  const [, one, other] = call.arguments;
  if (!one || !other || !isTextTemplate(one) || !isTextTemplate(other)) {
    throw new Error(`${path}: tn takes a number and two texts: ${call.getText()}`);
  }
  const { key: plural, placeholders } = textOf(other);
  return { key: textOf(one).key, plural, placeholders };
}

function textOf({ template }: ts.TaggedTemplateExpression): SourceText {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { key: template.text, placeholders: [] };
  const parts = template.templateSpans.map(({ literal }, index) => `{${index + 1}}${literal.text}`);
  const placeholders = template.templateSpans.map(({ expression }) =>
    expression.getText().replace(/\s+/g, ' ').slice(0, 60),
  );
  return { key: template.head.text + parts.join(''), placeholders };
}

function isTextTemplate(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && isNamed(node.tag, tags);
}

/** `t`, or `it.t` in a template. */
function isNamed(node: ts.Expression, names: readonly string[]): boolean {
  if (ts.isPropertyAccessExpression(node)) return names.includes(node.name.text);
  return ts.isIdentifier(node) && names.includes(node.text);
}
