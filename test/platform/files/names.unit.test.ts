import { extensionOf, safeName } from '../../../src/platform/files/inspect/names.ts';

describe('safeName', () => {
  test.each([
    ['Contrato de trabalho – Zoë.pdf', 'Contrato de trabalho – Zoë.pdf'],
    ['履歴書.docx', '履歴書.docx'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\scan.pdf', 'scan.pdf'],
    ['folder/', 'file'],
    ['', 'file'],
    ['...', 'file'],
    ['.htaccess', 'htaccess'],
    ['.pdf', 'pdf'],
    ['a\r\nSet-Cookie: x.pdf', 'aSet-Cookie_ x.pdf'],
    ['nul\u0000byte.pdf', 'nulbyte.pdf'],
    ['line\u2028separator.pdf', 'lineseparator.pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['\u2066isolate\u2069.txt', 'isolate.txt'],
    ['zero\u200Bwidth\uFEFF.txt', 'zerowidth.txt'],
    ['👩‍🚀.png', '👩‍🚀.png'.replace('\u200D', '\u200D')],
    ['a<b>:"c|d?e*.csv', 'a_b___c_d_e_.csv'],
    ['con.txt', '_con.txt'],
    ['LPT1', '_LPT1'],
    ['COM¹.txt', '_COM¹.txt'],
    ['console.txt', 'console.txt'],
    ['trailing. . .', 'trailing'],
    ['  many   spaces  .txt', 'many spaces .txt'],
    ['e\u0301.txt', 'é.txt'],
    ['lone\uD800surrogate.txt', 'lonesurrogate.txt'],
  ])('%j becomes %j', (input, safe) => {
    expect(safeName(input)).toBe(safe);
  });

  test('fits a file system, and keeps the extension and whole characters', () => {
    for (const character of ['a', 'é', '語', '👩‍👩‍👧‍👦']) {
      const name = safeName(`${character.repeat(400)}.docx`);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
      expect(Buffer.byteLength(name)).toBeGreaterThan(200);
      expect(name.endsWith(`${character}.docx`)).toBe(true);
    }
  });

  test('doesn’t take the end of a long sentence for an extension', () => {
    const name = safeName(`a.${'b'.repeat(500)}`);
    expect(name).toBe(`a.${'b'.repeat(238)}`);
  });

  test('is idempotent', () => {
    for (const name of ['con.txt', '..x', 'a<b', `${'語'.repeat(300)}.pdf`, ' . .a. ']) {
      expect(safeName(safeName(name))).toBe(safeName(name));
    }
  });
});

test.each([
  ['a.PDF', 'pdf'],
  ['a.tar.gz', 'gz'],
  ['a', ''],
  ['a.', ''],
  ['pdf', ''],
  ['1. Quarter', ''],
  ['x.verylongending', ''],
])('the extension of %j is %j', (name, ending) => {
  expect(extensionOf(name)).toBe(ending);
});
