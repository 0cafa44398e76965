/** Reads the small parts of a workbook: its sheets, cell formats, and hidden properties. */
import { t } from '../../../contract/languages/text.ts';
import { builtInFormat, formatOf, type NumberFormat } from '../cells/number-formats.ts';
import { damaged, SheetError } from '../model/error.ts';
import { type Archive, macros } from '../xml/archive.ts';
import { targetPath } from '../xml/part-paths.ts';
import { attribute, readXml, unescapeCharacters } from '../xml/xml.ts';

interface Workbook {
  /** Worksheets in order. */
  sheets: { name: string; path: string; isVisible: boolean }[];
  /** Days are counted from 1904, not 1900. */
  from1904: boolean;
  stylesPath: string | undefined;
  sharedTextsPath: string | undefined;
}

/** The part that refers to all others: `xl/workbook.xml`, or `.bin` in a binary workbook. */
export async function mainPart(archive: Archive): Promise<string> {
  const root = await readRelations(archive, '_rels/.rels', '');
  const defaultPath = archive.has('xl/workbook.bin') ? 'xl/workbook.bin' : 'xl/workbook.xml';
  return root.find((relation) => relation.type === 'officeDocument')?.target ?? defaultPath;
}

/** @param path its main part */
export async function readWorkbook(archive: Archive, path: string): Promise<Workbook> {
  if (!archive.has(path) || !path.endsWith('.xml')) {
    throw new SheetError('not_a_workbook', t`The file is not a workbook (xlsx, xls, xlsb or ods).`);
  }
  await refuseMacros(archive);
  const relations = await relationsOf(archive, path);
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const pathOf = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const workbook: Workbook = {
    sheets: [],
    from1904: false,
    stylesPath: pathOf('styles'),
    sharedTextsPath: pathOf('sharedStrings'),
  };
  let depth = 0;
  readXml(await archive.text(path), {
    open(name, attributes) {
      depth++;
      // Nested extensions have properties of the same name.
      if (name === 'workbookPr' && depth === 2) workbook.from1904 = isTrue(attribute(attributes, 'date1904'));
      if (name !== 'sheet') return;
      const relation = byId.get(attribute(attributes, 'id'));
      if (relation?.type !== 'worksheet') return; // a chart sheet
      const isVisible = (attribute(attributes, 'state') ?? 'visible') === 'visible';
      workbook.sheets.push({ name: attribute(attributes, 'name') ?? '', path: relation.target, isVisible });
    },
    close() {
      depth--;
    },
    text() {},
  });
  return workbook;
}

/** @returns the number format of each cell style, by index */
export async function readStyles(archive: Archive, path: string | undefined): Promise<NumberFormat[]> {
  if (!path || !archive.has(path)) return [];
  const own = new Map<number, NumberFormat>();
  const styles: NumberFormat[] = [];
  let inCellStyles = false;
  readXml(await archive.text(path), {
    open(name, attributes) {
      if (name === 'numFmt') {
        own.set(Number(attribute(attributes, 'numFmtId')), formatOf(attribute(attributes, 'formatCode') ?? ''));
      } else if (name === 'cellXfs') {
        inCellStyles = true;
      } else if (name === 'xf' && inCellStyles) {
        const id = Number(attribute(attributes, 'numFmtId') ?? 0);
        styles.push(own.get(id) ?? builtInFormat(id));
      }
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false;
    },
    text() {},
  });
  return styles;
}

/** Of a property: ours are short. */
const maxPropertyChars = 1_000;

/** Hidden properties from `writeWorkbook`, as far as other programs have preserved them. */
export async function readProperties(archive: Archive): Promise<Record<string, string>> {
  const properties: Record<string, string> = {};
  if (!archive.has('docProps/custom.xml')) return properties;
  let property: string | undefined;
  readXml(await archive.text('docProps/custom.xml'), {
    open(name, attributes) {
      if (name === 'property') property = attribute(attributes, 'name');
    },
    close(name) {
      if (name === 'property') property = undefined;
    },
    text(text) {
      if (property === undefined) return;
      properties[property] = ((properties[property] ?? '') + unescapeCharacters(text)).slice(0, maxPropertyChars);
    },
  });
  return properties;
}

/** A workbook can be declared as macro-enabled even without macros. */
async function refuseMacros(archive: Archive): Promise<void> {
  if (!archive.has('[Content_Types].xml')) throw damaged(t`the part [Content_Types].xml is missing`);
  readXml(await archive.text('[Content_Types].xml'), {
    open(name, attributes) {
      if (name === 'Default' && attribute(attributes, 'Extension') === 'bin') return; // a default says nothing about actual parts
      if (!/macroEnabled\.main|ms-office\.vbaProject/i.test(attribute(attributes, 'ContentType') ?? '')) return;
      throw macros();
    },
    close() {},
    text() {},
  });
}

/** The parts that a part refers to. */
export async function relationsOf(archive: Archive, path: string): Promise<Relation[]> {
  const cut = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, cut);
  return readRelations(archive, `${folder}_rels/${path.slice(cut)}.rels`, folder);
}

interface Relation {
  id: string | undefined;
  /** The last word of the type, which all editions of the format share. */
  type: string | undefined;
  target: string;
}

async function readRelations(archive: Archive, path: string, folder: string): Promise<Relation[]> {
  const relations: Relation[] = [];
  if (!archive.has(path)) return relations;
  readXml(await archive.text(path), {
    open(name, attributes) {
      if (name !== 'Relationship' || attribute(attributes, 'TargetMode') === 'External') return;
      const target = targetPath(attribute(attributes, 'Target') ?? '', folder);
      relations.push({
        id: attribute(attributes, 'Id'),
        type: attribute(attributes, 'Type')?.split('/').at(-1),
        target,
      });
    },
    close() {},
    text() {},
  });
  return relations;
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}
