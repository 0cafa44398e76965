// Text of a document in Markdown, as a renderer reads it.
import fc from 'fast-check';
import { marked } from 'marked';
import { escaped } from '../../src/report/markup.ts';

test.each([
  ['`maxLength` of *all*', '`maxLength` of \\*all\\*'],
  ['# a\n<b>|[x](y)_', '\\# a &lt;b&gt;\\|\\[x\\](y)\\_'],
  ['`<b>``', '\\`&lt;b&gt;\\`\\`'],
  ['``<b>`', '\\`\\`&lt;b&gt;\\`'],
  ['\\`<b>`', '\\\\\\`&lt;b&gt;\\`'],
  ['a` `<b>`', 'a` `&lt;b&gt;\\`'],
])('escapes everything except code in single backticks: %j', (text, markdown) => {
  expect(escaped(text)).toBe(markdown);
});

const pieces = [
  '`',
  '``',
  '\\',
  '<img src=x>',
  '<!--',
  '[x](y)',
  '![x](y)',
  '*',
  '_',
  '~',
  '|',
  '\n',
  '# ',
  '- ',
  '1. ',
  '2) ',
  '+ ',
  '===',
  '---',
  '> ',
  '&lt;',
  'a',
  ' ',
];

test('text of a document renders as text and code only', () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  const placed = fc.tuple(text, fc.constantFrom('- ', '- x: '));
  fc.assert(
    fc.property(placed, ([content, before]) => {
      const html = marked.parse(before + escaped(content), { async: false });
      expect(html).not.toMatch(/<(?!\/?(code|ul|li)\b)/);
    }),
    { numRuns: 500 },
  );
});
