/**
 * Reads the directory of a zip archive, which is at its end. Office documents are zip archives, and only the directory
 * tells their type; programs and archives can be hidden after a picture or a PDF, and this detects them too.
 */

/** Bytes at the end of a file that hold the end of a list, with the longest comment. */
export const zipTailBytes = 22 + 65_535;
const mostListBytes = 4 * 1024 * 1024;

export interface ZipList {
  /** Where the list begins in the file, and its length in bytes. */
  start: number;
  bytes: number;
}

/**
 * @param tail the last bytes of the file, at least `zipTailBytes` where it has as many
 * @returns undefined when the file does not end as an archive does
 */
export function findZipList(tail: Buffer, fileBytes: number): ZipList | undefined {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    if (at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue; // the comment goes to the end
    const bytes = tail.readUInt32LE(at + 12);
    const start = tail.readUInt32LE(at + 16);
    if (bytes > mostListBytes || start + bytes > fileBytes) return undefined;
    return { start, bytes };
  }
  return undefined;
}

/** A part of an archive, as its list has it. */
interface ZipPart {
  name: string;
  isEncrypted: boolean;
  packedBytes: number;
  unpackedBytes: number;
}

/** The parts in a list; undefined when it is damaged. */
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

/** Names in a list; undefined when it is damaged or an entry is encrypted. */
export function zipNames(list: Buffer): string[] | undefined {
  const parts = zipParts(list);
  return parts?.some(({ isEncrypted }) => isEncrypted) ? undefined : parts?.map(({ name }) => name);
}

/**
 * The ending of the Office document with these parts. Documents with macros are none of them, whatever their name says.
 * @param head the beginning of the file, where an OpenDocument file says which of them it is
 */
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

/** Its first entry is its media type as it stands, without an extra field (ODF 1.3, part 2, section 3.3). */
function openDocumentKind(head: Buffer): 'odt' | 'ods' | undefined {
  const [, kind] =
    /^mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet)PK/.exec(head.toString('latin1', 30, 120)) ?? [];
  if (kind === undefined) return undefined;
  return kind === 'text' ? 'odt' : 'ods';
}
