/** Creates a one-page PDF (ISO 32000-1), for documents of fictional people. */

/** @param lines in the Windows-1252 character set */
export function letter(title: string, lines: readonly string[]): Buffer {
  const textOperators = [`/F1 20 Tf 56 760 Td (${escaped(title)}) Tj`, '/F1 11 Tf 0 -40 Td 18 TL']
    .concat(lines.map((line) => `(${escaped(line)}) Tj T*`))
    .join('\n');
  const content = `BT\n${textOperators}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const xrefEntries = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${xrefEntries.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}
