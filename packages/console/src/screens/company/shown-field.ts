import { lasting } from '../../parts/format.ts';
import { languages, named, t } from '../../parts/words.ts';
import type { CompanyFields } from './company-fields.ts';

export const shownFields = [
  'name',
  'time_zone',
  'locale',
  'require_second_factor',
  'step_up',
  'session_max_age',
  'allowed_scopes',
] as const satisfies (keyof CompanyFields)[];

/** The languages that mails can be in, by their tags. */
export const mail_languages: Readonly<Record<string, string>> = { ...languages, es: 'Español' };

/** A field as people read it. */
export function shownField(fields: CompanyFields, name: keyof CompanyFields): string {
  const { locale, session_max_age, allowed_scopes } = fields;
  if (name === 'locale') return locale === '' ? t('company.locale.service') : (mail_languages[locale] ?? locale);
  if (name === 'session_max_age') {
    return session_max_age === '' ? t('company.session_max_age.service') : lasting(Number(session_max_age));
  }
  if (name === 'allowed_scopes') {
    if (allowed_scopes === null) return t('company.allowed_scopes.all');
    return allowed_scopes.map((scope) => named('scope', scope)).join(', ') || t('company.allowed_scopes.none');
  }
  const value = fields[name];
  return typeof value === 'boolean' ? t(value ? 'yes' : 'no') : value;
}
