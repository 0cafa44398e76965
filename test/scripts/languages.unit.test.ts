import { saidIn } from '../../scripts/generate/languages/sources.ts';

test('finds texts with placeholders and plurals', () => {
  const source = `
    const said = 'say';
    throw new Problem(404, 'not_found', t\`There is no \${noun.of(id)} here.\`);
    const text = tn(n, t\`One {brace}\`, t\`\${n} {braces}\\u00a0\`);
    t\`Outer \${a ? t\`inner\` : ''}\`;
    console.log(\`not \${said}\`);`;
  expect(saidIn('a.ts', source)).toEqual([
    { key: 'There is no {1} here.', places: ['noun.of(id)'] },
    { key: 'One {brace}', plural: '{1} {braces}\u00a0', places: ['n'] },
    { key: 'Outer {1}', places: ["a ? t`inner` : ''"] },
    { key: 'inner', places: [] },
  ]);
});

test('finds the texts of the console', () => {
  const source = 'const a = <p title={t`Close`}>{tn(n, t`$' + '{number(n)} person`, t`$' + '{number(n)} people`)}</p>;';
  expect(saidIn('a.tsx', source)).toEqual([
    { key: 'Close', places: [] },
    { key: '{1} person', plural: '{1} people', places: ['number(n)'] },
  ]);
});

test('finds the texts of page and email templates', () => {
  const source = `<% layout('@layout') %>
<h1 title="<%= it.t\`Join \${it.company}\` %>"><%= it.t\`Welcome\` %></h1>
<% for (const each of it.list) { %><%= it.tn(each, it.t\`\${each} company\`, it.t\`\${each} companies\`) %><% } %>`;
  expect(saidIn('a.eta', source)).toEqual([
    { key: 'Join {1}', places: ['it.company'] },
    { key: 'Welcome', places: [] },
    { key: '{1} company', plural: '{1} companies', places: ['each'] },
  ]);
});

test('rejects what it can’t parse', () => {
  expect(() => saidIn('a.ts', 'tn(n, one, t`other`)')).toThrow('a.ts: tn takes a number and two texts');
});
