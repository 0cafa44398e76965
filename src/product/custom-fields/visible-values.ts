/** A person's values as visible to readers and in events. */
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { canUseField } from '../access/permissions.ts';
import type { Values } from './unique-values.ts';

type Reader = Pick<Viewer, 'caller' | 'member'>;
type VisibleValues = Record<string, unknown>;

export function visibleFields(
  { caller, member }: Reader,
  id: string,
  stored: unknown,
  hidden: string[],
): VisibleValues {
  const { fields } = member;
  const visible: VisibleValues = {};
  if (!fields) return visible;
  const values = (stored ?? {}) as Values;
  for (const field of fields.active) {
    if (canUseField(field.readers, caller, member, id)) visible[field.key] = values[field.key] ?? null;
    else hidden.push(field.path);
  }
  return visible;
}

/** Values for events: no sensitive or archived fields. */
export function publicValues(fields: CompanyFields, stored: unknown): VisibleValues {
  const visible: VisibleValues = {};
  const values = (stored ?? {}) as Values;
  for (const field of fields.active) if (!field.sensitive) visible[field.key] = values[field.key] ?? null;
  return visible;
}
