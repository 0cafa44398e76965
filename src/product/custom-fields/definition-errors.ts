/** Validates a field's definition beyond the contract. */
import { t } from '../../contract/languages/text.ts';
import type { FieldError, FieldErrors } from '../../contract/problem.ts';
import type { FieldDefinition } from '../../identity/members/company-fields.ts';

type Option = FieldDefinition['options'][number];

/** Types with single-line values that can be compared. */
const comparable: readonly FieldDefinition['type'][] = ['text', 'number', 'email', 'url', 'phone'];
/** In ascending order. */
const roles = ['employee', 'manager', 'admin'];

function hasOptions({ type }: Pick<FieldDefinition, 'type'>): boolean {
  return type === 'choice' || type === 'multi_choice';
}

export function definitionErrors(definition: FieldDefinition, before: FieldDefinition | undefined): FieldErrors {
  const errors: FieldErrors = optionErrors(definition, before?.options ?? []);
  const add = (field: string, error: FieldError) => {
    errors[field] ??= [error];
  };
  if (roles.indexOf(definition.write) < roles.indexOf(definition.read)) {
    add('write', { code: 'out_of_range', message: t`Nobody can change values that they can't read.` });
  }
  if (definition.unique && !comparable.includes(definition.type)) {
    const message = t`A field of the type ${definition.type} can't be unique.`;
    add('unique', { code: 'field_not_allowed', message });
  }
  // The error that a value is taken would reveal someone else's value.
  if (definition.unique && definition.write !== 'admin') {
    add('write', { code: 'out_of_range', message: t`Only admins can change the values of a unique field.` });
  }
  return errors;
}

function optionErrors({ type, options }: FieldDefinition, before: readonly Option[]): FieldErrors {
  if (!hasOptions({ type })) {
    if (options.length === 0) return {};
    return { options: [{ code: 'field_not_allowed', message: t`A field of the type ${type} has no options.` }] };
  }
  if (options.length === 0) return { options: [{ code: 'required', message: t`At least one option is needed.` }] };
  const keys = options.map(({ key }) => key);
  const missing = before.find(({ key }) => !keys.includes(key));
  if (missing) {
    const message = t`The option ${missing.key} is missing. People may have it: set it to retired instead.`;
    return { options: [{ code: 'required', message }] };
  }
  const duplicates = keys.flatMap((key, at) => (keys.indexOf(key) < at ? [at] : []));
  const taken: FieldError = { code: 'taken', message: t`Another option has this key.` };
  return Object.fromEntries(duplicates.map((at) => [`options.${at}.key`, [taken]]));
}
