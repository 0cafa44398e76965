/** Audit entries for salaries in answers: that they were shown, not what they are. */
import type { Member } from '../../identity/members/member.ts';
import type { AuditActor, Origin } from '../../platform/audit/entry.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';

const scope = 'salary:read';

interface Answered {
  company_id: string;
  operation_id: string;
  caller: { scopes: readonly string[]; user_id: string; client_id: string };
  member: Member;
  /** The collaborator of the path. */
  collaborator_id: string | undefined;
  origin: () => Origin;
  body: unknown;
}

/**
 * Records that an answer shows salaries of others than the caller.
 * @throws 503 when that can't be recorded now: the answer must not be sent then
 */
export function recordSalaries(recorder: AuditRecorder, answered: Answered): void {
  const {
    company_id: companyId,
    operation_id: operationId,
    caller,
    member,
    collaborator_id: collaboratorId,
  } = answered;
  if (!caller.scopes.includes(scope)) return;
  const shown = peopleWithSalary(answered.body, collaboratorId).filter((id) => id !== member.collaborator_id);
  if (shown.length === 0) return;
  const origin = answered.origin();
  const { user_id: userId, client_id: clientId } = caller;
  const actor: AuditActor = member.isInstallation
    ? { type: 'installation', installation_id: userId, client_id: clientId }
    : { type: 'user', user_id: userId, client_id: clientId };
  const [id] = shown;
  const one = shown.length === 1;
  const whom = one ? {} : { collaborator_count: shown.length, collaborator_ids: shown };
  const entry = {
    action: 'salary.read',
    actor,
    origin,
    target: one ? { type: 'collaborator', id: id! } : undefined,
    details: { operation_id: operationId, ...whom },
  };
  recorder.add(
    companyId,
    entry,
    one ? [id, operationId, caller.user_id, caller.client_id, origin.ip].join() : undefined,
  );
}

interface Shown {
  id?: unknown;
  salary?: unknown;
  data?: unknown;
  /** Of an entry of the history. */
  changes?: unknown;
}

interface ShownChange {
  field?: unknown;
  redacted?: unknown;
}

/** @param of whose history it is, where it is one */
function peopleWithSalary(body: unknown, of: string | undefined): string[] {
  const { id, salary, data } = (body ?? {}) as Shown;
  if (typeof salary === 'number' && typeof id === 'string') return [id];
  if (!Array.isArray(data)) return [];
  if (of !== undefined && data.some((entry: Shown) => tellsSalary(entry))) return [of];
  return data.flatMap((item: Shown) => peopleWithSalary({ id: item?.id, salary: item?.salary }, undefined));
}

function tellsSalary(entry: Shown): boolean {
  if (!Array.isArray(entry?.changes)) return false;
  return entry.changes.some(({ field, redacted }: ShownChange) => field === 'salary' && redacted !== true);
}
