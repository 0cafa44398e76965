/** Reads the directory at the end of a zip archive: the type of an Office document, or an archive appended to another file. */

/** The size of the end record with the longest comment. */
export const zipTailBytes = 22 + 65_535;
const maxListBytes = 4 * 1024 * 1024;

export interface ZipList {
  /** Offset in the file, and length in bytes. */
  start: number;
  bytes: number;
}

/** @param tail the last bytes of the file, at least `zipTailBytes` if it has as many */
export function findZipList(tail: Buffer, fileBytes: number): ZipList | undefined {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    if (at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue; // the comment reaches the end
    const bytes = tail.readUInt32LE(at + 12);
    const start = tail.readUInt32LE(at + 16);
    if (bytes > maxListBytes || start + bytes > fileBytes) return undefined;
    return { start, bytes };
  }
  return undefined;
}

interface ZipPart {
  name: string;
  isEncrypted: boolean;
  packedBytes: number;
  unpackedBytes: number;
}

/** The entries of a directory; undefined when it is damaged. */
export function zipParts(list: Buffer): ZipPart[] | undefined {
  const parts: ZipPart[] = [];
  for (let at = 0; at < list.length; ) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50) return undefined;
    const nameBytes = list.readUInt16LE(at + 28);
    parts.push({
      name: list.toString('utf8', at + 46, at + 46 + nameBytes),
      isEncrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      packedBytes: list.readUInt32LE(at + 20),
      unpackedBytes: list.readUInt32LE(at + 24),
    });
    at += 46 + nameBytes + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
  return parts;
}

/** The names in a directory; undefined when it is damaged or an entry is encrypted. */
export function zipNames(list: Buffer): string[] | undefined {
  const parts = zipParts(list);
  return parts?.some(({ isEncrypted }) => isEncrypted) ? undefined : parts?.map(({ name }) => name);
}

/** The type of the Office document with these entries; undefined for one with macros. */
export function officeKind(names: string[], head: Buffer): 'docx' | 'xlsx' | 'odt' | 'ods' | undefined {
  const has = (name: string) => names.includes(name);
  if (has('mimetype')) {
    const hasMacros = names.some((name) => /^(Basic|Scripts)\//.test(name));
    return has('content.xml') && !hasMacros ? openDocumentKind(head) : undefined;
  }
  if (!has('[Content_Types].xml') || names.some((name) => /(^|\/)vbaProject\.bin$/i.test(name))) return undefined;
  if (has('word/document.xml') && !has('xl/workbook.xml')) return 'docx';
  if (has('xl/workbook.xml') && !has('word/document.xml')) return 'xlsx';
}

/** The first entry is the media type, uncompressed and without an extra field (ODF 1.3, part 2, section 3.3). */
function openDocumentKind(head: Buffer): 'odt' | 'ods' | undefined {
  const [, kind] =
    /^mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet)PK/.exec(head.toString('latin1', 30, 120)) ?? [];
  if (kind === undefined) return undefined;
  return kind === 'text' ? 'odt' : 'ods';
}
