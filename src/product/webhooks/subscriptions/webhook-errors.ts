/** Validation of a subscription beyond the contract's schema. */
import { t } from '../../../contract/languages/text.ts';
import { type FieldErrors, validationError } from '../../../contract/problem.ts';
import { knownPatterns } from './event-types.ts';
import { targetError } from './target.ts';
import { transportHeaders } from './webhook-headers.ts';

/** Uses DNS, so don't call it in a transaction. */
export async function urlErrors(
  field: string,
  url: string,
  settings: { allow_private: boolean },
): Promise<FieldErrors> {
  const error = await targetError(url, settings);
  return error ? { [field]: [error] } : {};
}

export function patternErrors(patterns: readonly string[], fieldOf: (at: number) => string): FieldErrors {
  const message = t`There is no such event. See GET /v1/webhooks/event-types.`;
  const errors: FieldErrors = {};
  patterns.forEach((pattern, at) => {
    if (!knownPatterns.has(pattern)) errors[fieldOf(at)] = [{ code: 'not_in_enum', message }];
  });
  return errors;
}

/** Header names are case-insensitive. */
export function headerErrors(headers: Record<string, string | null>): FieldErrors {
  const errors: [field: string, errors: FieldErrors[string]][] = [];
  const names = new Set<string>();
  for (const name of Object.keys(headers)) {
    const same = name.toLowerCase();
    if (transportHeaders.has(same)) {
      errors.push([
        `headers.${name}`,
        [{ code: 'field_not_allowed', message: t`This header belongs to the connection.` }],
      ]);
    } else if (names.has(same)) {
      errors.push([`headers.${name}`, [{ code: 'taken', message: t`This header was sent twice.` }]]);
    }
    names.add(same);
  }
  return Object.fromEntries(errors);
}

export function refuseErrors(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw validationError(errors);
}
