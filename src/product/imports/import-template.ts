/**
 * The template that people fill in to import collaborators: made for each request, because its cells offer values that
 * the company uses. Only its link knows it, and the sweep removes it after an hour.
 */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { contract, resolve, type Schema } from '../../contract/contract.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { FilesContext } from '../../platform/files/context.ts';
import { newKey } from '../../platform/files/storage.ts';
import type { CellRule } from '../../platform/sheets/sheet.ts';
import { type Template, type TemplateField, templateSheet, writeTemplate } from '../../platform/sheets/template.ts';
import { writeCsv } from '../../platform/sheets/write-csv.ts';
import { type ImportField, importColumns } from '../collaborators/sheet-columns.ts';

type TemplateFormat = 'xlsx' | 'csv';

/** Changes whenever the columns do. */
const template_version = '1';

/** The name of the sheet to fill in; a workbook that has one of this name is imported from there. */
const template_sheet = 'Collaborators';

const link_lifetime_s = 15 * 60;
const media_types = { xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', csv: 'text/csv' };

/** How many values a cell offers, and among how many people those used most are looked for, the newest of all. */
const suggestions_of_a_column = 200;
const newest_people = 20_000;
const suggested = ['department', 'position', 'location'] as const;

type Suggestions = Partial<Record<ImportField, string[]>>;

/** @param may_write_salary without it there is no column for salaries: the import would refuse it */
export async function makeTemplate(
  tenant: Tenant,
  { storage, links }: FilesContext,
  format: TemplateFormat,
  may_write_salary: boolean,
): Promise<components['schemas']['ImportTemplate']> {
  const { company_id } = tenant;
  // Beside a column for the managers' addresses, one for their ids would be left out by the import.
  const columns = importColumns.filter(({ key }) => key !== 'manager_id' && (key !== 'salary' || may_write_salary));
  const template = collaboratorTemplate(columns, format === 'xlsx' ? await suggestionsOf(tenant) : {});
  const key = newKey(company_id, 'templates');
  await storage.put(key, format === 'xlsx' ? writeTemplate(template) : writeCsv(templateSheet(template)));
  const filename = `collaborators-template.${format}`;
  const media_type = media_types[format];
  return {
    filename,
    content_type: media_type,
    url: links.link({
      company_id,
      key,
      filename,
      media_type,
      disposition: 'attachment',
      expires_in_s: link_lifetime_s,
    }),
    version: template_version,
    columns: columns.map(({ key, label, required, hint, example }) => ({
      key,
      header: label,
      required,
      rule: hint,
      example: example === null ? null : String(example),
    })),
  };
}

function collaboratorTemplate(
  columns: readonly (TemplateField & { key: ImportField })[],
  suggestions: Suggestions,
): Template {
  return {
    title: 'Collaborators to import',
    sheet: template_sheet,
    version: template_version,
    instructions,
    fields: columns.map((column) => {
      const rule = ruleOf(column, suggestions[column.key]);
      return { ...column, ...(rule && { rule }) };
    }),
  };
}

const instructions: Template['instructions'] = [
  ['Where', `Fill in the sheet “${template_sheet}”, one row for each person. Do not rename its headers.`],
  ['Example', 'The grey row is an example. The import leaves it out, so it can stay.'],
  ['Required', 'Columns with a * must be filled in for everyone who is added. Columns you do not need can be deleted.'],
  ['Lists', 'Departments, positions and locations that exist already are offered. Others can be typed in.'],
  ['Values', 'Write values, not formulas: a cell with a formula is refused.'],
  [
    'Save as',
    'Any of these: Excel workbook (xlsx), Excel 97–2003 (xls), Excel binary (xlsb), OpenDocument (ods), CSV.',
  ],
  ['Size', 'At most 100,000 people and 20 MB in one file.'],
  ['Errors', 'Let the file be checked first (dry run): every error is listed with its row and column.'],
];

/** The rules that a spreadsheet program checks while somebody fills in the template, as far as sheets can express them. */
function ruleOf({ key, rule }: TemplateField, suggestions: string[] | undefined): CellRule | undefined {
  if (suggestions?.length) return { kind: 'list', values: suggestions, is_strict: false };
  const maximum = longest(key);
  return rule ?? (maximum === undefined ? undefined : { kind: 'length', maximum });
}

/** In characters, as the contract has it; undefined for what is no text or no field of a new collaborator. */
function longest(key: string): number | undefined {
  const field = key.split('.').reduce<Schema | undefined>((schema, name) => {
    const property = schema?.properties?.[name];
    return property && resolve(property);
  }, contract.components.schemas.CollaboratorCreate);
  return field?.maxLength as number | undefined;
}

/** What is used most, in the spelling that is used most. */
async function suggestionsOf(tenant: Tenant): Promise<Suggestions> {
  const newest = tenant
    .selectFrom('collaborators')
    .select([...suggested])
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(newest_people);
  const fields = sql.join(suggested.map((field) => sql`(${sql.lit(field)}, newest.${sql.ref(field)})`));
  const { rows } = await sql<{ field: ImportField; value: string }>`
    select field, value from (
      select used.field, mode() within group (order by used.value) as value,
        row_number() over (partition by used.field order by count(*) desc, lower(used.value)) as place
      from (${newest}) as newest cross join lateral (values ${fields}) as used (field, value)
      where used.value is not null
      group by used.field, lower(used.value)
    ) as ranked
    where place <= ${suggestions_of_a_column}
    order by field, place`.execute(tenant.raw);
  const by_field = Object.entries(Object.groupBy(rows, ({ field }) => field));
  return Object.fromEntries(by_field.map(([field, found]) => [field, found.map(({ value }) => value)]));
}
