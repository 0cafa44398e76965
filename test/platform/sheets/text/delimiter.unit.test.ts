import { likelyDelimiter } from '../../../../src/platform/sheets/csv/delimiter.ts';

test.each([
  ['a headers row alone', 'name;email;position', ';'],
  ['one column', 'name\nAnn\n', ','],
  ['tabs', 'name\temail\nAnn, Bob\ta@x.example\n', '\t'],
  ['a title above without any', 'Staff list\n\nname;email;city\nAnn;a@x.example;Rome\n', ';'],
  ['a title above with commas', 'Staff, all of them, in May\r\n\r\nname|email|city\r\nAnn|a@x.example|Rome\r\n', '|'],
  ['decimal commas', 'name;salary;share\nAnn;1,5;2,5\nBob;3,5;4,5\nUma;5,5;6,5\n', ';'],
  ['more decimal commas than columns', 'salary;bonus\n1,5;2,5\n3,5;4,5\n5,5;6,5\n', ';'],
  ['commas in quotes', '"Park, Sue, Dr";x;y\n"Stone, Will, Dr";x;y\n', ';'],
  ['a line break in quotes', 'name,note\nAnn,"a;b;c\nd;e;f"\n', ','],
  ['nothing', '', ','],
])('detects %s', (_, text, delimiter) => {
  expect(likelyDelimiter(text)).toBe(delimiter);
});
