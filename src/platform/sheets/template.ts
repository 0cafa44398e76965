/** The import template: headers, an example row, data validation, and instructions. The importer skips the unmodified example. */
import type { Readable } from 'node:stream';
import { fieldValue } from './cells/cell-values.ts';
import type { Field, HeaderMatch } from './headers/headers.ts';
import type { CellRule, Sheet } from './model/sheet.ts';
import type { Cell, CellKind } from './model/types.ts';
import { writeWorkbook } from './xlsx/write-xlsx.ts';

export interface TemplateField extends Field {
  /** Its header, without the mark for required fields. */
  label: string;
  kind: CellKind;
  /** Accepted values, in plain words. */
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
  /** Lines of the instructions sheet, each with its topic. */
  instructions: readonly (readonly [topic: string, text: string])[];
  words: TemplateMessages;
  /** Changes with the fields; stored in the workbook as `template_version`. */
  version: string;
}

/** Labels of the instructions sheet. */
interface TemplateMessages {
  instructions: string;
  column: string;
  rule: string;
  required: string;
  example: string;
  yes: string;
  no: string;
}

export function writeTemplate(template: Template): Readable {
  const { title, version } = template;
  const properties = { [versionProperty]: version };
  return writeWorkbook([templateSheet(template), instructionsSheet(template)], { title, properties });
}

/** The key of the version in `TableInfo.properties`, if the file still has it. */
const versionProperty = 'template_version';

/** Whether a row is the unmodified example, in the columns that the file has. */
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

/** Only the sheet to fill in, for formats with a single sheet. */
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
