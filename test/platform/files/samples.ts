/** Generated files of every accepted type, and some fakes. */
import { crc32, deflateRawSync } from 'node:zlib';
import sharp from 'sharp';

const office = 'application/vnd.openxmlformats-officedocument';

const openDocument = 'application/vnd.oasis.opendocument';

export interface Sample {
  filename: string;
  media_type: string;
  content: Buffer;
}

export async function samples(): Promise<Record<string, Sample>> {
  const picture = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#3a7d44' } });
  return {
    pdf: { filename: 'contract.pdf', media_type: 'application/pdf', content: pdf() },
    jpeg: { filename: 'scan.jpg', media_type: 'image/jpeg', content: await picture().jpeg().toBuffer() },
    png: { filename: 'scan.png', media_type: 'image/png', content: await picture().png().toBuffer() },
    webp: { filename: 'scan.webp', media_type: 'image/webp', content: await picture().webp().toBuffer() },
    heic: { filename: 'IMG_0042.HEIC', media_type: 'image/heic', content: heic() },
    docx: { filename: 'letter.docx', media_type: `${office}.wordprocessingml.document`, content: docx() },
    xlsx: { filename: 'hours.xlsx', media_type: `${office}.spreadsheetml.sheet`, content: xlsx() },
    odt: { filename: 'letter.odt', media_type: `${openDocument}.text`, content: opened('text') },
    ods: { filename: 'hours.ods', media_type: `${openDocument}.spreadsheet`, content: opened('spreadsheet') },
    txt: { filename: 'notes.txt', media_type: 'text/plain', content: Buffer.from('Café, naïve, Straße\r\n') },
    csv: { filename: 'hours.csv', media_type: 'text/csv', content: Buffer.from('name;hours\nZoë;38,5\n') },
  };
}

/** One empty page with a correct cross-reference table. */
export function pdf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ];
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const xrefEntries = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 4\n0000000000 65535 f \n${xrefEntries.join('')}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A phone camera's HEIC file without image data: the boxes before it. */
export function heic(major = 'heic', compatible = ['mif1', 'heic']): Buffer {
  const ftyp = box('ftyp', Buffer.from(`${major}\0\0\0\0${compatible.join('')}`, 'latin1'));
  return Buffer.concat([ftyp, box('meta', Buffer.alloc(200)), box('mdat', Buffer.alloc(2_000, 0xa5))]);
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** @param flags of every entry; 1 means encrypted */
export function docx(more: Record<string, string | Buffer> = {}, flags = 0): Buffer {
  const entries = {
    '[Content_Types].xml': contentTypes('/word/document.xml', 'wordprocessingml.document.main'),
    '_rels/.rels': relations('word/document.xml'),
    'word/document.xml':
      '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p/></w:body></w:document>',
    ...more,
  };
  return zip(entries, flags);
}

/** @param kind after `opendocument.` */
export function opened(kind: string, more: Record<string, string | Buffer> = {}): Buffer {
  const media = Buffer.from(`${openDocument}.${kind}`);
  return zip({ mimetype: media, 'content.xml': '<office:document-content/>', ...more });
}

export function xlsx(more: Record<string, string | Buffer> = {}): Buffer {
  return zip({
    // Some programs write it last, so nothing may depend on the order.
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>',
    '_rels/.rels': relations('xl/workbook.xml'),
    ...more,
    '[Content_Types].xml': contentTypes('/xl/workbook.xml', 'spreadsheetml.sheet.main'),
  });
}

function contentTypes(part: string, type: string): string {
  return `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="${part}" ContentType="${office}.${type}+xml"/></Types>`;
}

function relations(target: string): string {
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`;
}

/** @param flags of every entry; 1 means encrypted */
export function zip(entries: Record<string, string | Buffer>, flags = 0): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, value] of Object.entries(entries)) {
    const content = Buffer.from(value as string);
    const isPlain = name === 'mimetype'; // OpenDocument has its type in the first bytes
    const packed = isPlain ? content : deflateRawSync(content);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0); // version
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(isPlain ? 0 : 8, 4); // deflate
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, entry, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(list.length, 8);
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** The header of a Windows executable. */
export function program(): Buffer {
  const head = Buffer.alloc(512);
  head.write('MZ');
  head.writeUInt32LE(0x80, 0x3c);
  head.write('PE\0\0', 0x80, 'latin1');
  return head;
}
