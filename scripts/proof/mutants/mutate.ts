// Generates single mutations of a source file, which a meaningful test must detect.
import ts from 'typescript';

export interface Mutant {
  line: number;
  before: string;
  after: string;
  text: string;
}

const opposite = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
]);

/** Log statements. Tests need not detect a missing one. */
const logs = /^(\w+\.|this\.#\w+\.)*log\??\.(info|warn|error|debug)\(/;

/** @param name of the file, for the parser */
export function mutantsOf(name: string, source: string): Mutant[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const replace = (node: ts.Node, after: string) => {
    const [start, end] = [node.getStart(file), node.getEnd()];
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const text = source.slice(0, start) + after + source.slice(end);
    mutants.push({ line, before: source.slice(start, end), after, text });
  };
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    change(node, replace);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

function change(node: ts.Node, replace: (node: ts.Node, after: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const other = opposite.get(node.operatorToken.kind);
    if (other) replace(node.operatorToken, other);
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    replace(node, node.operand.getText());
  } else if (ts.isIfStatement(node) && !ts.isBinaryExpression(node.expression)) {
    replace(node.expression, `!(${node.expression.getText()})`);
  } else if (ts.isThrowStatement(node)) replace(node, ';');
  else if (ts.isExpressionStatement(node) && isCall(node.expression) && !logs.test(node.getText())) replace(node, ';');
  else if (isCondition(node)) replace(node, node.expression.expression.getText()); // of a query
}

function isCall(node: ts.Expression): boolean {
  return ts.isCallExpression(node) || (ts.isAwaitExpression(node) && ts.isCallExpression(node.expression));
}

function isCondition(node: ts.Node): node is ts.CallExpression & { expression: ts.PropertyAccessExpression } {
  return (
    ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'where'
  );
}
