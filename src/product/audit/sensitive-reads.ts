/** Audit entries for salaries and sensitive field values in responses: that they were shown, without the values. */

import { sensitiveScope } from '../../identity/members/company-fields.ts';
import type { Member } from '../../identity/members/member.ts';
import type { AuditActor, AuditEntry, Origin } from '../../platform/audit/entry.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';

const salaryScope = 'salary:read';

interface Answered {
  company_id: string;
  operation_id: string;
  caller: { scopes: readonly string[]; user_id: string; client_id: string };
  member: Member;
  collaborator_id: string | undefined;
  field_name: string | undefined;
  origin: () => Origin;
  body: unknown;
}

/**
 * Records that a response shows others' salaries or sensitive field values.
 * @throws 503 if that can't be recorded; the response must then not be sent
 */
export function recordSensitive(recorder: AuditRecorder, answered: Answered): void {
  const { caller, member } = answered;
  if (caller.scopes.includes(salaryScope)) {
    const isSalary = (field: string, value: unknown) => field === 'salary' && typeof value === 'number';
    record(recorder, answered, 'salary.read', new Map(shownIn(answered, isSalary)));
  }
  const sensitive = new Set(member.fields?.active.flatMap((field) => (field.sensitive ? [field.path] : [])));
  if (sensitive.size === 0 || !caller.scopes.includes(sensitiveScope)) return;
  const isSensitive = (field: string, value: unknown) => sensitive.has(field) && value !== null;
  record(recorder, answered, 'custom_field.read', new Map(shownIn(answered, isSensitive)));
}

type IsRecorded = (field: string, value: unknown) => boolean;

function record(
  recorder: AuditRecorder,
  answered: Answered,
  action: 'salary.read' | 'custom_field.read',
  shown: ReadonlyMap<string, string[]>,
): void {
  const { company_id: companyId, operation_id: operationId, caller, member, field_name: fieldName } = answered;
  const people = [...shown.keys()].filter((id) => id !== member.collaborator_id);
  if (people.length === 0) return;
  const origin = answered.origin();
  const { user_id: userId, client_id: clientId } = caller;
  const actor: AuditActor = member.isInstallation
    ? { type: 'installation', installation_id: userId, client_id: clientId }
    : { type: 'user', user_id: userId, client_id: clientId };
  const [id] = people;
  const ofEverybody = fieldName !== undefined;
  const one = people.length === 1 && !ofEverybody;
  const fields = [...new Set(people.flatMap((each) => shown.get(each)!))].sort();
  const whom = one || ofEverybody ? {} : { collaborator_count: people.length, collaborator_ids: people };
  const entry: AuditEntry = {
    action,
    actor,
    origin,
    target: one ? { type: 'collaborator', id: id! } : undefined,
    details: { operation_id: operationId, ...(action === 'custom_field.read' && { fields }), ...whom },
  };
  const same = [action, id, fields.join(), operationId, userId, clientId, origin.ip].join();
  recorder.add(companyId, entry, one ? same : undefined);
}

interface Shown {
  id?: unknown;
  salary?: unknown;
  custom_fields?: unknown;
  data?: unknown;
  changes?: unknown;
}

interface ShownChange {
  field?: unknown;
  redacted?: unknown;
}

/** The people and fields in a response that must be recorded. For a field's value list, that is everybody. */
function shownIn(
  { body, collaborator_id: of, field_name: fieldName }: Answered,
  isRecorded: IsRecorded,
): [id: string, fields: string[]][] {
  const whole = (body ?? {}) as Shown;
  const own = fieldsOf(whole, isRecorded);
  if (typeof whole.id === 'string' && own.length > 0) return [[whole.id, own]];
  if (!Array.isArray(whole.data)) return [];
  const items = whole.data as Shown[];
  if (fieldName !== undefined) return items.length > 0 && isRecorded(fieldName, items) ? [['', [fieldName]]] : [];
  if (of !== undefined) {
    const told = items.flatMap((entry) => changedFields(entry, isRecorded));
    if (told.length > 0) return [[of, told]];
  }
  return items.flatMap((item): [string, string[]][] => {
    const fields = fieldsOf(item ?? {}, isRecorded);
    return typeof item?.id === 'string' && fields.length > 0 ? [[item.id, fields]] : [];
  });
}

function fieldsOf({ salary, custom_fields: custom }: Shown, isRecorded: IsRecorded): string[] {
  const own = Object.entries((custom ?? {}) as Record<string, unknown>).map(
    ([key, value]) => [`custom_fields.${key}`, value] as const,
  );
  return [['salary', salary] as const, ...own].flatMap(([name, value]) => (isRecorded(name, value) ? [name] : []));
}

function changedFields(entry: Shown, isRecorded: IsRecorded): string[] {
  if (!Array.isArray(entry?.changes)) return [];
  return (entry.changes as ShownChange[]).flatMap(({ field, redacted }) => {
    // The old value doesn't matter; 0 is a number like a salary.
    return typeof field === 'string' && redacted !== true && isRecorded(field, 0) ? [field] : [];
  });
}
