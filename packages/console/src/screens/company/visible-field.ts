import { longDuration } from '../../parts/format.ts';
import { scopeNames } from '../../parts/names.ts';
import { languages, named, t } from '../../parts/translate.ts';
import type { CompanyFields } from './company-fields.ts';
import { assistantRightNames, directoryVisibilityNames } from './names.ts';

export const visibleFields = [
  'name',
  'time_zone',
  'locale',
  'require_second_factor',
  'step_up',
  'session_max_age',
  'allowed_scopes',
  'assistants',
  'directory_visibility',
] as const satisfies (keyof CompanyFields)[];

/** Email languages by tag. */
export const mailLanguages: Readonly<Record<string, string>> = languages;

export function formatField(fields: CompanyFields, name: keyof CompanyFields): string {
  const { locale, session_max_age: sessionMaxAge, allowed_scopes: allowedScopes } = fields;
  if (name === 'locale') return locale === '' ? t`The language of the service` : (mailLanguages[locale] ?? locale);
  if (name === 'session_max_age') {
    return sessionMaxAge === ''
      ? t`the default of the service (12 hours in a browser)`
      : longDuration(Number(sessionMaxAge));
  }
  if (name === 'allowed_scopes') {
    if (allowedScopes === null) return t`Everything that people authorize`;
    return allowedScopes.map((scope) => named(scopeNames, scope)).join(', ') || t`none of them`;
  }
  if (name === 'assistants') return named(assistantRightNames, fields.assistants);
  if (name === 'directory_visibility') return named(directoryVisibilityNames, fields.directory_visibility);
  const value = fields[name];
  return typeof value === 'boolean' ? (value ? t`yes` : t`no`) : value;
}
