/** Templates contain only translatable text. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const folders = ['src/api/pages/templates/', 'src/platform/mail/templates/'];
const files = folders.flatMap((folder) => {
  const url = new URL(`../../../${folder}`, import.meta.url);
  const names = readdirSync(url).filter((name) => name.endsWith('.eta'));
  return names.map((name) => [folder + name, readFileSync(new URL(name, url), 'utf8')] as const);
});

test('finds the templates', () => expect(files.length).toBeGreaterThan(10));

test.each(files)('%s contains only translatable text', (_path, source) => {
  expect([...wordsOutside(source), ...literals(source)]).toEqual([]);
});

describe('detects', () => {
  test.each([
    ['<h1>Sign in</h1>', ['Sign in']],
    ['<p>\n<%= it.name %>, welcome</p>', [', welcome']],
    ['<input aria-label="Your name">', ['Your name']],
    ['<img alt="A picture" src="x.png">', ['A picture']],
    ["<%= it.error ? 'Error' : it.title %>", ['Error']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands in a template
    ['<%= `Error: ${it.title}` %>', ['Error: ']],
    ['<button><%~ "Go" %></button>', ['Go']],
  ])('%s', (source, found) => {
    expect([...wordsOutside(source), ...literals(source)]).toEqual(found);
  });
});

/** Text and spoken attributes in the template itself. */
function wordsOutside(source: string): string[] {
  const html = source.replace(/<%[\s\S]*?%>/g, '');
  const spoken = [...html.matchAll(/\s(?:aria-label|alt|title|placeholder|label)="([^"]*)"/g)].map(
    ([, words]) => words!,
  );
  const texts = html.replace(/<[^>]*>/g, '\n').split('\n');
  return [...texts, ...spoken].map((text) => text.trim()).filter((text) => /\p{L}/u.test(text));
}

/** String literals in inserted expressions, except names of other templates and what `t` translates. */
function literals(source: string): string[] {
  const expressions = [...source.matchAll(/<%[=~]([\s\S]*?)%>/g)].map(([, code]) => code!);
  return expressions.flatMap((code) => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText().endsWith('.t')) return;
      if (ts.isCallExpression(node) && node.expression.getText() === 'include') return;
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
        if (/\p{L}/u.test(node.text)) found.push(node.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile('template.ts', code, ts.ScriptTarget.Latest, true));
    return found;
  });
}
