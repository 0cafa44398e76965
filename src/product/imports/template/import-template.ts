/**
 * The import template, generated per request, because its cells suggest the company's values. Only its link references it; the
 * sweep removes it after an hour.
 */
import type { components } from '../../../../generated/api.ts';
import { contract, resolve, type Schema } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { inLanguage } from '../../../contract/languages/text.ts';
import type { Member } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { FilesContext } from '../../../platform/files/context.ts';
import { newKey } from '../../../platform/files/store/storage.ts';
import { writeCsv } from '../../../platform/sheets/csv/write-csv.ts';
import type { CellRule, SheetColumn } from '../../../platform/sheets/model/sheet.ts';
import { type Template, type TemplateField, templateSheet, writeTemplate } from '../../../platform/sheets/template.ts';
import { columnHeaders } from '../../collaborators/column-headers.ts';
import { csvDelimiter } from '../../collaborators/csv-delimiter.ts';
import { type ImportField, importColumns } from '../../collaborators/fields/sheet-columns.ts';
import { customTemplateFields } from './custom-field-columns.ts';
import { columnMessages } from './template-columns.ts';
import { instructions, templateMessages, templateSheetName, templateTitle } from './template-messages.ts';
import { type Suggestions, suggestionsOf } from './template-suggestions.ts';

type TemplateFormat = 'xlsx' | 'csv';

interface TemplateOptions {
  format: TemplateFormat;
  language: Language;
  /** Without it the salary column is omitted, because the import would reject it. */
  may_write_salary: boolean;
}

type ImportTemplateField = TemplateField & { key: ImportField };

/** Must change whenever the columns change. */
const templateVersion = '1';

const linkLifetimeS = 15 * 60;
const mediaTypes = { xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', csv: 'text/csv' };

export async function makeTemplate(
  tenant: Tenant,
  member: Member,
  { storage, links }: FilesContext,
  { format, language, may_write_salary: mayWriteSalary }: TemplateOptions,
): Promise<components['schemas']['ImportTemplate']> {
  const { company_id: companyId } = tenant;
  const fields = templateFields(language, mayWriteSalary);
  const customFields = customTemplateFields(member, language);
  const suggestions = format === 'xlsx' ? await suggestionsOf(tenant, member) : {};
  const template = collaboratorTemplate(fields, customFields, language, suggestions);
  const key = newKey(companyId, 'templates');
  const file = format === 'xlsx' ? writeTemplate(template) : writeCsv(templateSheet(template), csvDelimiter(language));
  await storage.put(key, file);
  const filename = `collaborators-template.${format}`;
  const mediaType = mediaTypes[format];
  return {
    filename,
    content_type: mediaType,
    url: links.link({
      company_id: companyId,
      key,
      filename,
      media_type: mediaType,
      disposition: 'attachment',
      expiresInS: linkLifetimeS,
    }),
    version: templateVersion,
    language,
    columns: [...fields, ...customFields].map(({ key, label, required, hint, example }) => ({
      key,
      header: label,
      required,
      rule: hint,
      example: example === null ? null : String(example),
    })),
  };
}

/** Omits the managers' ids, which the import ignores beside their addresses. */
function templateFields(language: Language, mayWriteSalary: boolean): ImportTemplateField[] {
  return importColumns
    .filter(({ key }) => key !== 'manager_id' && (key !== 'salary' || mayWriteSalary))
    .map((column) => {
      const { rule, example } = inLanguage(columnMessages[column.key], language);
      return { ...column, label: columnHeaders[column.key].translate(language), hint: rule, example };
    });
}

function collaboratorTemplate(
  fields: readonly ImportTemplateField[],
  customFields: readonly TemplateField[],
  language: Language,
  suggestions: Suggestions,
): Template {
  return {
    title: templateTitle.translate(language),
    sheet: templateSheetName.translate(language),
    version: templateVersion,
    instructions: instructions.map(([topic, text]) => [topic.translate(language), text.translate(language)] as const),
    words: inLanguage(templateMessages, language),
    fields: [
      ...fields.map((field) => {
        const rule = ruleOf(field, suggestions[field.key]);
        return { ...field, ...(rule && { rule }) };
      }),
      ...customFields,
    ],
  };
}

/** Validation in the spreadsheet program, as far as sheets can express the rules. */
function ruleOf(
  { key, rule }: Pick<SheetColumn, 'rule'> & { key: ImportField },
  suggested: Suggestions[ImportField],
): CellRule | undefined {
  if (suggested?.values.length) return { kind: 'list', ...suggested, is_strict: false };
  const maximum = longest(key);
  return rule ?? (maximum === undefined ? undefined : { kind: 'length', maximum });
}

/** Maximum characters by the contract; undefined for other types or unknown fields. */
function longest(key: string): number | undefined {
  const field = key.split('.').reduce<Schema | undefined>((schema, name) => {
    const property = schema?.properties?.[name];
    return property && resolve(property);
  }, contract.components.schemas.CollaboratorCreate);
  return field?.maxLength as number | undefined;
}
