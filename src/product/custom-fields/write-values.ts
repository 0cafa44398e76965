/** Checks a writer’s custom field values against definitions and rights, and merges them into the stored ones. */
import { isDeepStrictEqual } from 'node:util';
import { type Text, t } from '../../contract/languages/text.ts';
import { type FieldError, type FieldErrors, problemWithErrors } from '../../contract/problem.ts';
import { unknownName } from '../../contract/unknown-name.ts';
import type { CompanyField, CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { requireStepUp } from '../../identity/members/step-up.ts';
import { canUseField, canWriteField } from '../access/permissions.ts';
import { checkValue } from './check-value.ts';
import type { Values } from './unique-values.ts';

/** All values of a person, as JSON in UTF-8. */
const maxBytes = 32_768;

type Writer = Pick<Viewer, 'caller' | 'member'>;

interface ExistingRecord {
  id: string;
  custom_fields: unknown;
}

/** The values to write, normalized; null clears. */
export interface CheckedValues {
  values: Values;
  errors: FieldErrors;
}

/**
 * @param bodies `pathPrefix`: path before `custom_fields` in the body, for list items
 * @throws 403 `field_forbidden`, 401 if a new sign-in is required; but not for values the record already has and the caller may
 *   see
 */
export function requireWritable(
  fields: CompanyFields,
  writer: Writer,
  bodies: readonly { sent: Values; before?: ExistingRecord | undefined; pathPrefix?: string }[],
): void {
  const refused: FieldErrors = {};
  let requiresStepUp = false;
  for (const { sent, before, pathPrefix = '' } of bodies) {
    for (const [key, value] of Object.entries(sent)) {
      const field = fields.byKey.get(key);
      if (!field || isUnchanged(field, writer, value, before)) continue;
      const { caller, member } = writer;
      if (canWriteField(field.writers, caller, member, before?.id)) continue;
      const lacksOnlyStepUp =
        caller.lacks && canWriteField(field.writers, { ...caller, lacks: undefined }, member, before?.id);
      if (lacksOnlyStepUp) requiresStepUp = true;
      else refused[`${pathPrefix}${field.path}`] = [refusal(field)];
    }
  }
  const paths = Object.keys(refused);
  if (paths.length > 0) throw problemWithErrors(403, 'field_forbidden', writeForbidden(paths), refused);
  if (requiresStepUp) requireStepUp(writer.caller);
}

function writeForbidden(paths: string[]): Text {
  return paths.length <= 3 ? t`You can't write ${paths.join(', ')}.` : t`You can't write ${paths[0]!} and others.`;
}

function refusal({ write, sensitive, writers }: CompanyField): FieldError {
  const message = sensitive
    ? t`Writing this field needs the role ${write} and the scope ${writers.scopes!.join(' ')}.`
    : t`Writing this field needs the role ${write}.`;
  return { code: 'field_not_allowed', message };
}

/** Whether the record already has the value and the caller may see it: it is then neither written nor checked. */
function isUnchanged(
  field: CompanyField,
  { caller, member }: Writer,
  value: unknown,
  before: ExistingRecord | undefined,
): boolean {
  if (!before || !canUseField(field.readers, caller, member, before.id)) return false;
  return isDeepStrictEqual((before.custom_fields as Values | null)?.[field.key] ?? null, value);
}

/** Expects that write access was checked. */
export function checkValues(
  fields: CompanyFields,
  writer: Writer,
  sent: Values | undefined,
  before?: ExistingRecord | undefined,
): CheckedValues {
  const values: { [key: string]: unknown } = {};
  const errors: FieldErrors = {};
  const stored = (before?.custom_fields ?? {}) as Values;
  // Suggests no field that the caller may not know of.
  const writable = () =>
    fields.active
      .filter(({ writers }) => canWriteField(writers, writer.caller, writer.member, before?.id))
      .map(({ key }) => key);
  for (const [key, value] of Object.entries(sent ?? {})) {
    const field = fields.byKey.get(key);
    if (!field) {
      errors[`custom_fields.${key.slice(0, 60)}`] = [unknownName(key, writable())];
      continue;
    }
    if (isUnchanged(field, writer, value, before)) continue;
    const checked = value === null ? { value } : checkValue(field, value, stored[key]);
    if (checked.error) errors[field.path] = [checked.error];
    else if (checked.value === null && field.required) errors[field.path] = [before ? notClearable : required];
    else values[key] = checked.value;
  }
  if (!before) {
    for (const field of fields.active) {
      if (!field.required || Object.hasOwn(sent ?? {}, field.key)) continue;
      // Otherwise callers without write access couldn't add anyone.
      if (canWriteField(field.writers, writer.caller, writer.member, undefined)) errors[field.path] = [required];
    }
  }
  const size = Buffer.byteLength(JSON.stringify({ ...stored, ...values }));
  if (size > maxBytes) errors.custom_fields = [{ code: 'too_long', message: t`Must have at most ${maxBytes} bytes.` }];
  return { values, errors };
}

const required: FieldError = { code: 'required', message: t`This field is required.` };
const notClearable: FieldError = { code: 'not_clearable', message: t`This field can't be cleared.` };

/** A person's full column after a change. @returns undefined if nothing differs */
export function changedColumn(before: unknown, values: Values): string | null | undefined {
  const stored = (before ?? {}) as Values;
  const differs = Object.entries(values).some(([key, value]) => !isDeepStrictEqual(stored[key] ?? null, value));
  if (!differs) return undefined;
  return valuesColumn({ ...stored, ...values });
}

export function valuesColumn(values: Values = {}): string | null {
  const present = Object.entries(values).filter(([, value]) => value !== null);
  return present.length > 0 ? JSON.stringify(Object.fromEntries(present)) : null;
}

export function changedPaths(before: unknown, after: unknown): string[] {
  const [from, to] = [(before ?? {}) as Values, (after ?? {}) as Values];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((key) => !isDeepStrictEqual(from[key] ?? null, to[key] ?? null))
    .map((key) => `custom_fields.${key}`);
}
