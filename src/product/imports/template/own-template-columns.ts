/** Template columns for custom fields, as the import accepts them. */
import type { Language } from '../../../contract/languages/language.ts';
import { say, type Text } from '../../../contract/languages/text.ts';
import type { CompanyField } from '../../../identity/members/company-fields.ts';
import type { Member } from '../../../identity/members/member.ts';
import type { CellRule } from '../../../platform/sheets/model/sheet.ts';
import type { TemplateField } from '../../../platform/sheets/template.ts';
import { ownHeader } from '../../exports/content/own-columns.ts';

/** A cell's list of choices has a character limit. */
const mostOptions = 100;

export function ownTemplateFields({ fields }: Member, language: Language): TemplateField[] {
  const active = fields?.active ?? [];
  return active
    .filter(({ sensitive }) => !sensitive)
    .map((field) => ({
      key: field.path,
      label: ownHeader(field, active, language),
      required: field.required,
      kind: kinds[field.type] ?? 'text',
      hint: field.description ?? hints[field.type].in(language),
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
  text: say`Free text on one line.`,
  long_text: say`Free text.`,
  number: say`A number.`,
  boolean: say`TRUE or FALSE.`,
  date: say`A date, as a date of the spreadsheet or written as 2026-03-02.`,
  choice: say`One of the options.`,
  multi_choice: say`Options, with semicolons between them.`,
  email: say`An email address.`,
  url: say`A web address.`,
  phone: say`A phone number.`,
};

function ruleOf({ type, options }: CompanyField, language: Language): { rule?: CellRule } {
  if (type === 'date') return { rule: { kind: 'date' } };
  if (type === 'boolean') return { rule: { kind: 'list', values: ['TRUE', 'FALSE'], is_strict: true } };
  if (type !== 'choice') return {};
  const open = options.filter(({ retired }) => !retired).slice(0, mostOptions);
  const labels = open.map(({ label }) => label[language] ?? label.default);
  // If labels are ambiguous, the import only recognizes keys.
  const values = new Set(labels).size === labels.length ? labels : open.map(({ key }) => key);
  return { rule: { kind: 'list', values, is_strict: true } };
}
