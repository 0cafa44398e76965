/** Reads files of people as an import does, without the steps that depend on the people of the company. */
import { type CompanyFields, type FieldDefinition, noFields } from '../../../src/identity/members/company-fields.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { previewOf } from '../../../src/product/imports/rows/people/create-preview.ts';
import {
  byColumn,
  type PeopleTable,
  type TableSettings,
} from '../../../src/product/imports/rows/people/people-table.ts';
import { readPeople } from '../../../src/product/imports/rows/people/read-people.ts';
import { errorsOfFields, fieldsOf, type RowFields } from '../../../src/product/imports/rows/people/row-fields.ts';
import { questionViews, storedQuestion } from '../../../src/product/imports/state/questions.ts';
import { storedWarning, warningViews } from '../../../src/product/imports/state/warnings.ts';

/** A dry run by someone who may write salaries. */
const dryRun: TableSettings = {
  ...{ mode: 'create', match_by: null, empty_cells: 'keep', mapping: {}, unknown_columns: null },
  ...{ sheet: null, encoding: null, encoding_guess: null, date_order: null, decimal: null },
  ...{ name_order: null, garbled_text: null, may_write_salary: true, dry_run: true, columns: [], committed_at: null },
  fields: noFields,
};

export interface ReadFile {
  table: PeopleTable;
  questions: ReturnType<typeof questionViews>;
  warnings: ReturnType<typeof warningViews>;
  /** Location and code of the errors of the columns, or of the rows if those have none. */
  errors: string[];
  messages: string[];
  /** The first people as an import shows them. */
  preview: Record<string, string>[];
  /** The fields to write for each row. */
  people: RowFields[];
}

type Definition = Pick<FieldDefinition, 'key' | 'type'> &
  Partial<Omit<FieldDefinition, 'label'>> & { label?: { default: string } };

/** Custom fields of a company, for `fields` of the settings. */
export function customFields(...definitions: Definition[]): CompanyFields {
  const all = definitions.map((definition) => {
    const usual = { label: { default: definition.key }, sensitive: false, unique: false, archived: false, options: [] };
    return { ...usual, ...definition } as unknown as FieldDefinition;
  });
  const active = all.flatMap((field) => (field.archived ? [] : [{ ...field, path: `custom_fields.${field.key}` }]));
  return {
    version: 'test',
    all,
    active,
    byKey: new Map(active.map((field) => [field.key, field])),
  } as unknown as CompanyFields;
}

/** @returns a function for the tests of this file; throws SheetError */
export function fileReader(): (file: Uint8Array, settings?: Partial<TableSettings>) => Promise<ReadFile> {
  const sheets = new SheetReader(1);
  afterAll(() => sheets.close());
  return async (file, settings = {}) => {
    const table = await readPeople(sheets, file, { ...dryRun, ...settings }, new AbortController().signal);
    const people = table.rows.map((row) => fieldsOf(table, row, false));
    const ofRows = table.rows.flatMap((row, at) => errorsOfFields(table, row, people[at]!, false).toSorted(byColumn));
    const errors = table.errors.length > 0 ? table.errors : ofRows;
    const questions = new Map(table.errors.flatMap(({ question }) => (question ? [[question.id, question]] : [])));
    return {
      ...{ table, people, preview: previewOf(table).people.map(({ values }) => values) },
      questions: questionViews([...questions.values()].map(storedQuestion), 'en'),
      warnings: warningViews(table.warnings.map(storedWarning), 'en'),
      errors: errors.map(({ row, column, field, code }) => `${column ?? '-'}${row} ${field ?? '-'} ${code}`),
      messages: errors.map(({ message }) => message.translate('en')),
    };
  };
}
