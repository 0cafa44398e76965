/** Reads the rows of an OpenDocument spreadsheet (ods) while unpacking it. */
import { t } from '../../../contract/languages/text.ts';
import { chooseSheet } from '../model/choose-sheet.ts';
import { SheetError } from '../model/error.ts';
import type { ReadLimits } from '../model/types.ts';
import { type Piece, readPieces } from '../xlsx/read-by-xlsx.ts';
import type { Table } from '../xlsx/read-xlsx.ts';
import { type Archive, passwordProtected } from '../xml/archive.ts';
import { readXml, XmlReader } from '../xml/xml.ts';
import { OdsBook } from './ods-book.ts';
import { OdsTable } from './ods-table.ts';

const mediaType = 'application/vnd.oasis.opendocument.spreadsheet';

/** @param sheet name; default: the first visible sheet */
export async function readOds(archive: Archive, sheet: string | undefined, limits: ReadLimits): Promise<Table> {
  const declared = (await archive.text('mimetype')).trim();
  if (declared !== mediaType && declared !== `${mediaType}-template`) throw notASpreadsheet();
  await refusePassword(archive);
  const book = new OdsBook();
  if (archive.has('styles.xml')) readXml(await archive.text('styles.xml'), book);
  const reader = new XmlReader(book);
  for await (const piece of archive.pieces('content.xml')) reader.write(piece);
  reader.end();
  if (!book.isSpreadsheet) throw notASpreadsheet();
  const { chosen, names } = chooseSheet(book.sheets, sheet);
  if (chosen.isLinked) throw linkedSheet(chosen.name);
  const table = new OdsTable(chosen.tableIndex, { xml: book.stylesXml(), names: book.styleNames() }, limits);
  return {
    info: { format: 'ods', ...names, from1904: book.from1904 },
    groups: readPieces(pieces(archive, table), book.from1904, limits),
    marks: table.marks,
  };
}

async function* pieces(archive: Archive, table: OdsTable): AsyncGenerator<Piece> {
  const reader = new XmlReader(table);
  for await (const piece of archive.pieces('content.xml')) {
    reader.write(piece);
    yield* table.drainPieces();
  }
  reader.end();
  yield* table.drainPieces();
}

/** An encrypted file is a regular archive whose parts are unreadable. */
async function refusePassword(archive: Archive): Promise<void> {
  if (!archive.has('META-INF/manifest.xml')) return;
  readXml(await archive.text('META-INF/manifest.xml'), {
    open(name) {
      if (name === 'encryption-data') throw passwordProtected();
    },
    close() {},
    text() {},
  });
}

function linkedSheet(name: string): SheetError {
  const message = t`The sheet “${name}” is a link to another file. Break the link, so that its cells are its own.`;
  return new SheetError('external_links', message, { names: [name] });
}

function notASpreadsheet(): SheetError {
  return new SheetError('not_a_workbook', t`The file is an OpenDocument file, but not a spreadsheet (ods).`);
}
