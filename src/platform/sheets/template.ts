/**
 * The workbook that people fill in to import: a header row, an example below it, rules that the program holds them to,
 * and a sheet that explains all of it. The importer knows the example by its content and skips it, so that nobody has to
 * remove it, in whatever format the sheet is saved.
 */
import type { Readable } from 'node:stream';
import { fieldValue } from './cells/cell-values.ts';
import type { Field, HeaderMatch } from './headers/headers.ts';
import type { CellRule, Sheet } from './model/sheet.ts';
import type { Cell, CellKind } from './model/types.ts';
import { writeWorkbook } from './xlsx/write-xlsx.ts';

export interface TemplateField extends Field {
  /** Its header, without the mark of a required one. */
  label: string;
  kind: CellKind;
  /** In plain words, what may stand there. */
  hint: string;
  example: Cell;
  rule?: CellRule;
  width?: number;
}

export interface Template {
  title: string;
  /** The name of the sheet to fill in. */
  sheet: string;
  fields: readonly TemplateField[];
  /** What the sheet that explains says, each with a word in front that tells what it is about. */
  instructions: readonly (readonly [topic: string, text: string])[];
  words: TemplateWords;
  /** Changes whenever the fields do; kept in the workbook as `template_version`. */
  version: string;
}

/** What the sheet that explains is called, and what stands above its list of columns and in it. */
interface TemplateWords {
  instructions: string;
  column: string;
  rule: string;
  required: string;
  example: string;
  yes: string;
  no: string;
}

export function writeTemplate(template: Template, now?: Date): Readable {
  const { title, version } = template;
  const properties = { [versionProperty]: version };
  return writeWorkbook([templateSheet(template), instructionsSheet(template)], {
    title,
    properties,
    ...(now && { now }),
  });
}

/** Under which name `TableInfo.properties` has the version, where the file still knows it. */
const versionProperty = 'template_version';

/** Whether a row is the example of the template, untouched, in the columns that the file has of it. */
export function isExample(cells: readonly Cell[], match: HeaderMatch, fields: readonly TemplateField[]): boolean {
  let agreed = 0;
  for (const { key, kind, example } of fields) {
    const column = match.columns.get(key);
    if (column === undefined) continue;
    if (fieldValue(cells[column] ?? null, kind) !== example) return false;
    agreed++;
  }
  return agreed > 1;
}

/** The sheet to fill in, alone: for a format that has one only. */
export function templateSheet({ sheet, fields }: Template): Sheet {
  return {
    name: sheet,
    look: 'example',
    columns: fields.map(({ label, kind, required, hint, rule, width }) => ({
      header: required ? `${label} *` : label,
      kind,
      is_required: required,
      hint,
      ...(rule && { rule }),
      ...(width && { width }),
    })),
    groups: [[fields.map(({ example }) => example)]],
  };
}

function instructionsSheet({ title, fields, instructions, words }: Template): Sheet {
  const columns = [28, 60, 12, 26].map((width) => ({ header: '', kind: 'text' as const, width }));
  const rows: Cell[][] = [
    [title],
    ...instructions.map((line): Cell[] => [...line]),
    [],
    [words.column, words.rule, words.required, words.example],
    ...fields.map(({ label, required, hint, example }): Cell[] => {
      return [label, hint, required ? words.yes : words.no, example];
    }),
  ];
  return {
    name: words.instructions,
    look: 'prose',
    columns,
    groups: [rows],
    headingRows: [1, instructions.length + 3],
  };
}
