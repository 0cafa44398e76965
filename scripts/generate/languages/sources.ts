// Finds the texts in the sources: `say` and `sayMany` in the service and in its templates of pages and mails, `t` and `tn` in the
// console. Eta turns templates into JavaScript first. TypeScript's own parser reads all of it, so that nothing is guessed.
import { Eta } from 'eta';
import ts from 'typescript';

const tags = ['say', 't'];
const counters = ['sayMany', 'tn'];

export interface Said {
  key: string;
  /** Of a text that counts: how it is said of several. */
  plural?: string;
  /** What stands at the places `{1}`, `{2}` …: the expressions in the code. */
  places: string[];
}

/** @returns in the order of the source */
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
    // What stands at the places may be said as well.
    if (isSay(node)) ts.forEachChild(node.template, visit);
  }
}

function counted(call: ts.CallExpression, path: string): Said {
  const [, one, other] = call.arguments;
  if (!one || !other || !isSay(one) || !isSay(other)) {
    throw new Error(`${path}: sayMany takes a number and two texts: ${call.getText()}`);
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

/** `say`, and `it.say` of a template. */
function isNamed(node: ts.Expression, names: readonly string[]): boolean {
  if (ts.isPropertyAccessExpression(node)) return names.includes(node.name.text);
  return ts.isIdentifier(node) && names.includes(node.text);
}
