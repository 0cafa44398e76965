/** The error for a property or parameter whose name isn't known. It suggests a known name that looks almost the same. */

import { t } from './languages/text.ts';
import type { FieldError } from './problem.ts';
import { editDistance } from './texts/edit-distance.ts';

export function unknownName(name: string, known: readonly string[]): FieldError {
  const written = letters(name);
  const similar = known.find((other) => isSimilar(written, letters(other)));
  const message = similar
    ? t`No field of this name is known here. Did you mean ${similar}?`
    : t`No field of this name is known here.`;
  return { code: 'field_not_allowed', message };
}

/** The same for `hireDate`, `hire-date`, and `hire_date`. */
function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Shorter names resemble too many others. */
function isSimilar(written: string, name: string): boolean {
  const allowedTypos = name.length < 4 ? 0 : name.length < 8 ? 1 : 2;
  return editDistance(written, name, allowedTypos) <= allowedTypos;
}
