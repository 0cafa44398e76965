/** Audit entries for salaries and sensitive field values in responses: that they were shown, without the values. */

import { sensitiveScope } from '../../identity/members/company-fields.ts';
import type { Member } from '../../identity/members/member.ts';
import type { AuditActor, AuditEntry, Origin } from '../../platform/audit/entry.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';

const salaryScope = 'salary:read';

interface RecordedResponse {
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
export function recordSensitive(recorder: AuditRecorder, response: RecordedResponse): void {
  const { caller, member } = response;
  if (caller.scopes.includes(salaryScope)) {
    const isSalary = (field: string, value: unknown) => field === 'salary' && typeof value === 'number';
    record(recorder, response, 'salary.read', new Map(sensitiveFieldsIn(response, isSalary)));
  }
  const sensitive = new Set(member.fields?.active.flatMap((field) => (field.sensitive ? [field.path] : [])));
  if (sensitive.size === 0 || !caller.scopes.includes(sensitiveScope)) return;
  const isSensitive = (field: string, value: unknown) => sensitive.has(field) && value !== null;
  record(recorder, response, 'custom_field.read', new Map(sensitiveFieldsIn(response, isSensitive)));
}

type IsRecorded = (field: string, value: unknown) => boolean;

function record(
  recorder: AuditRecorder,
  response: RecordedResponse,
  action: 'salary.read' | 'custom_field.read',
  fieldsByPerson: ReadonlyMap<string, string[]>,
): void {
  const { company_id: companyId, operation_id: operationId, caller, member, field_name: fieldName } = response;
  const people = [...fieldsByPerson.keys()].filter((id) => id !== member.collaborator_id);
  if (people.length === 0) return;
  const origin = response.origin();
  const { user_id: userId, client_id: clientId } = caller;
  const actor: AuditActor = member.isInstallation
    ? { type: 'installation', installation_id: userId, client_id: clientId }
    : { type: 'user', user_id: userId, client_id: clientId };
  const [id] = people;
  const isFieldList = fieldName !== undefined;
  const isSinglePerson = people.length === 1 && !isFieldList;
  const fields = [...new Set(people.flatMap((each) => fieldsByPerson.get(each)!))].sort();
  const subjects = isSinglePerson || isFieldList ? {} : { collaborator_count: people.length, collaborator_ids: people };
  const entry: AuditEntry = {
    action,
    actor,
    origin,
    target: isSinglePerson ? { type: 'collaborator', id: id! } : undefined,
    details: { operation_id: operationId, ...(action === 'custom_field.read' && { fields }), ...subjects },
  };
  const dedupKey = [action, id, fields.join(), operationId, userId, clientId, origin.ip].join();
  recorder.add(companyId, entry, isSinglePerson ? dedupKey : undefined);
}

interface ResponseItem {
  id?: unknown;
  salary?: unknown;
  custom_fields?: unknown;
  data?: unknown;
  changes?: unknown;
}

interface HistoryChange {
  field?: unknown;
  redacted?: unknown;
}

/** The people and fields in a response that must be recorded. For a field's value list, that is everybody. */
function sensitiveFieldsIn(
  { body, collaborator_id: ownerId, field_name: fieldName }: RecordedResponse,
  isRecorded: IsRecorded,
): [id: string, fields: string[]][] {
  const whole = (body ?? {}) as ResponseItem;
  const own = fieldsOf(whole, isRecorded);
  if (typeof whole.id === 'string' && own.length > 0) return [[whole.id, own]];
  if (!Array.isArray(whole.data)) return [];
  const items = whole.data as ResponseItem[];
  if (fieldName !== undefined) return items.length > 0 && isRecorded(fieldName, items) ? [['', [fieldName]]] : [];
  if (ownerId !== undefined) {
    const changed = items.flatMap((entry) => changedFields(entry, isRecorded));
    if (changed.length > 0) return [[ownerId, changed]];
  }
  return items.flatMap((item): [string, string[]][] => {
    const fields = fieldsOf(item ?? {}, isRecorded);
    return typeof item?.id === 'string' && fields.length > 0 ? [[item.id, fields]] : [];
  });
}

function fieldsOf({ salary, custom_fields: custom }: ResponseItem, isRecorded: IsRecorded): string[] {
  const own = Object.entries((custom ?? {}) as Record<string, unknown>).map(
    ([key, value]) => [`custom_fields.${key}`, value] as const,
  );
  return [['salary', salary] as const, ...own].flatMap(([name, value]) => (isRecorded(name, value) ? [name] : []));
}

function changedFields(entry: ResponseItem, isRecorded: IsRecorded): string[] {
  if (!Array.isArray(entry?.changes)) return [];
  return (entry.changes as HistoryChange[]).flatMap(({ field, redacted }) => {
    // The old value doesn't matter; 0 is a number like a salary.
    return typeof field === 'string' && redacted !== true && isRecorded(field, 0) ? [field] : [];
  });
}
