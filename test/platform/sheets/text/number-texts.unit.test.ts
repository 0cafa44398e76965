import {
  isCellError,
  isPlaceholder,
  isScientific,
  repairMojibake,
  unquoted,
} from '../../../../src/platform/sheets/cells/damaged-texts.ts';
import { readNumber } from '../../../../src/platform/sheets/cells/number-texts.ts';

test.each([
  ['68400', 68_400, undefined, undefined],
  ['68400.5', 68_400.5, 'point', undefined],
  ['68.400,50', 68_400.5, 'comma', undefined],
  ['1.250.000', 1_250_000, 'comma', undefined],
  ['1,068,400.5', 1_068_400.5, 'point', undefined],
  ['R$ 3.500,00', 3_500, 'comma', 'R$'],
  ['$68,400.00', 68_400, 'point', '$'],
  ['$68,400.00 USD', 68_400, 'point', 'USD'],
  ['54.000,00 €', 54_000, 'comma', '€'],
  ['US$ 68,400.00', 68_400, 'point', 'US$'],
  ['CHF 68’400.00', 68_400, 'point', 'CHF'],
  ['54.000,-', 54_000, 'comma', undefined],
  ['54.000,00 zł', 54_000, 'comma', 'zł'],
  ['0.500', 0.5, 'point', undefined],
  ['68 400', 68_400, undefined, undefined],
  ['6,84,000', 684_000, 'point', undefined],
  ['₹ 1,12,34,567.50', 11_234_567.5, 'point', '₹'],
  ['68,400.0000', 68_400, 'point', undefined],
  ['1.234,5678', 1_234.5678, 'comma', undefined],
])('%s is %d', (text, value, decimal, currency) => {
  expect(readNumber(text)).toEqual({
    kind: 'number',
    value,
    ...(decimal && { decimal }),
    ...(currency && { currency }),
  });
});

test.each([
  ['68.400', 68_400, 68.4],
  ['3.500', 3_500, 3.5],
  ['1,234', 1.234, 1_234],
  ['R$ 98.710', 98_710, 98.71],
])('%s is ambiguous: %d or %d', (text, comma, point) => {
  expect(readNumber(text)).toMatchObject({ kind: 'ambiguous', comma, point });
});

test.each([
  '',
  'a',
  '68k',
  '68K€',
  '68 MIL',
  'MM$ 5',
  '5 MIO',
  '(3.500,00)',
  '68.400.50',
  '6.84.000',
  '6,84,00',
  '684,00,000',
  '1e3',
  '12%',
  '3.500,00 to 4.000,00',
  'R$',
])('%j isn’t a number', (text) => {
  expect(readNumber(text)).toEqual({ kind: 'none' });
});

test('distinguishes placeholders, errors, and rounded numbers from similar texts', () => {
  for (const text of ['NULL', 'NA', 'N/A', '\\N', '-', '(null)', 'nan', 'NaT', 'None', 'n/d', '?', '—']) {
    expect([text, isPlaceholder(text)]).toEqual([text, true]);
  }
  for (const text of ['Na', 'Nan', 'Null & Co', 'Nullermann', 'A-', 'None of these', 'no']) {
    expect([text, isPlaceholder(text)]).toEqual([text, false]);
  }
  for (const text of [
    '#REF!',
    '#N/A',
    '#¡VALOR!',
    '#NOME?',
    '#¿NOMBRE?',
    '#NV',
    '#####',
    '#DIV/0!',
    '#WERT!',
    '#N/D',
  ]) {
    expect([text, isCellError(text)]).toEqual([text, true]);
  }
  for (const text of ['#1', '# Sales', 'C#', '#ref', '#A!']) expect([text, isCellError(text)]).toEqual([text, false]);
  expect(['5,51199E+12', '1.5E+10', '4E+15', '1e5', '12E3', 'E+12'].map(isScientific)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('unquotes digits that a program kept as text', () => {
  expect(['="00123"', '= "00123"', '"HR-1"', '="a""b"', '=A1', '="a"&"b"', 'Ana "A" Lima'].map(unquoted)).toEqual([
    '00123',
    '00123',
    'HR-1',
    'a"b',
    '=A1',
    '="a"&"b"',
    'Ana "A" Lima',
  ]);
});

test('repairs UTF-8 that was read as windows-1252, once or twice', () => {
  expect(repairMojibake('NuÃ±ez')).toBe('Nuñez');
  expect(repairMojibake('NuÃƒÂ±ez')).toBe('Nuñez');
  expect(repairMojibake('BegoÃ±a Ã\u0081lvarez')).toBe('Begoña Álvarez');
  expect(repairMojibake('Oâ€™Brien')).toBe('O’Brien');
  for (const text of ['Nuñez', 'São João', 'Ângela', 'Ána Ñ', 'Łukasz Å']) expect(repairMojibake(text)).toBeUndefined();
});
