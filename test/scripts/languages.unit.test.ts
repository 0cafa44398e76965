import { textsIn } from '../../scripts/generate/languages/sources.ts';

test('finds texts with placeholders and plurals', () => {
  const source = `
    const said = 'say';
    throw new Problem(404, 'not_found', t\`There is no \${noun.of(id)} here.\`);
    const text = tn(n, t\`One {brace}\`, t\`\${n} {braces}\\u00a0\`);
    t\`Outer \${a ? t\`inner\` : ''}\`;
    console.log(\`not \${said}\`);`;
  expect(textsIn('a.ts', source)).toEqual([
    { key: 'There is no {1} here.', placeholders: ['noun.of(id)'] },
    { key: 'One {brace}', plural: '{1} {braces}\u00a0', placeholders: ['n'] },
    { key: 'Outer {1}', placeholders: ["a ? t`inner` : ''"] },
    { key: 'inner', placeholders: [] },
  ]);
});

test('finds the texts of the console', () => {
  const source = 'const a = <p title={t`Close`}>{tn(n, t`$' + '{number(n)} person`, t`$' + '{number(n)} people`)}</p>;';
  expect(textsIn('a.tsx', source)).toEqual([
    { key: 'Close', placeholders: [] },
    { key: '{1} person', plural: '{1} people', placeholders: ['number(n)'] },
  ]);
});

test('finds the texts of page and email templates', () => {
  const source = `<% layout('@layout') %>
<h1 title="<%= it.t\`Join \${it.company}\` %>"><%= it.t\`Welcome\` %></h1>
<% for (const each of it.list) { %><%= it.tn(each, it.t\`\${each} company\`, it.t\`\${each} companies\`) %><% } %>`;
  expect(textsIn('a.eta', source)).toEqual([
    { key: 'Join {1}', placeholders: ['it.company'] },
    { key: 'Welcome', placeholders: [] },
    { key: '{1} company', plural: '{1} companies', placeholders: ['each'] },
  ]);
});

test('rejects what it can’t parse', () => {
  expect(() => textsIn('a.ts', 'tn(n, one, t`other`)')).toThrow('a.ts: tn takes a number and two texts');
});
