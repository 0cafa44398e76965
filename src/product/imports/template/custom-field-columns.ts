/** Template columns for custom fields, as the import accepts them. */
import type { Language } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import type { CompanyField } from '../../../identity/members/company-fields.ts';
import type { Member } from '../../../identity/members/member.ts';
import type { CellRule } from '../../../platform/sheets/model/sheet.ts';
import type { TemplateField } from '../../../platform/sheets/template.ts';
import { customFieldHeader } from '../../exports/content/custom-field-columns.ts';

/** A cell's list of choices has a character limit. */
const maxOptions = 100;

export function customTemplateFields({ fields }: Member, language: Language): TemplateField[] {
  const active = fields?.active ?? [];
  return active
    .filter(({ sensitive }) => !sensitive)
    .map((field) => ({
      key: field.path,
      label: customFieldHeader(field, active, language),
      required: field.required,
      kind: kinds[field.type] ?? 'text',
      hint: field.description ?? hints[field.type].translate(language),
      example: null,
      ...ruleOf(field, language),
    }));
}

const kinds: Partial<Record<CompanyField['type'], TemplateField['kind']>> = {
  number: 'number',
  boolean: 'boolean',
  date: 'date',
};

const hints: Record<CompanyField['type'], Text> = {
  text: t`Free text on one line.`,
  long_text: t`Free text.`,
  number: t`A number.`,
  boolean: t`TRUE or FALSE.`,
  date: t`A date, as a date of the spreadsheet or written as 2026-03-02.`,
  choice: t`One of the options.`,
  multi_choice: t`Options, with semicolons between them.`,
  email: t`An email address.`,
  url: t`A web address.`,
  phone: t`A phone number.`,
};

function ruleOf({ type, options }: CompanyField, language: Language): { rule?: CellRule } {
  if (type === 'date') return { rule: { kind: 'date' } };
  if (type === 'boolean') return { rule: { kind: 'list', values: ['TRUE', 'FALSE'], is_strict: true } };
  if (type !== 'choice') return {};
  const open = options.filter(({ retired }) => !retired).slice(0, maxOptions);
  const labels = open.map(({ label }) => label[language] ?? label.default);
  // If labels are ambiguous, the import only recognizes keys.
  const values = new Set(labels).size === labels.length ? labels : open.map(({ key }) => key);
  return { rule: { kind: 'list', values, is_strict: true } };
}
