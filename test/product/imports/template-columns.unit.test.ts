/** Template texts in each language: headers the import recognizes, and hints short enough for spreadsheets. */
import type { Language } from '../../../src/contract/languages/language.ts';
import { matchHeaders } from '../../../src/platform/sheets/headers/headers.ts';
import { columnHeaders } from '../../../src/product/collaborators/column-headers.ts';
import { columnNames } from '../../../src/product/collaborators/fields/column-names.ts';
import { importColumns } from '../../../src/product/collaborators/fields/sheet-columns.ts';
import { columnMessages } from '../../../src/product/imports/template/template-columns.ts';
import { templateSheetName } from '../../../src/product/imports/template/template-messages.ts';

const languages: Language[] = ['en', 'pt', 'es'];
const fields = importColumns.map((column) => ({
  ...column,
  aliases: Object.values(columnNames[column.key]).flat(),
}));

test.each(languages)('the import recognizes the headers in %s without guessing', (language) => {
  const headers = importColumns.map(({ key }) => `${columnHeaders[key].translate(language)} *`);
  const match = matchHeaders(headers, fields);
  expect(match.keys).toEqual(importColumns.map(({ key }) => key));
  expect([match.guessed.size, match.unknown, match.doubled]).toEqual([0, [], []]);
});

test.each(languages)('hints fit Excel’s limits in %s', (language) => {
  for (const { key } of importColumns) {
    const { rule } = columnMessages[key];
    expect(columnHeaders[key].translate(language).length).toBeLessThanOrEqual(100);
    expect(rule.translate(language).length).toBeLessThanOrEqual(225);
  }
  expect(templateSheetName.translate(language)).toMatch(/^\p{L}{1,31}$/u);
});
