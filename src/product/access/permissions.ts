/**
 * Evaluates the access rules of the contract: `security`, `x-access`, `x-read-access`, and `x-write-access`. Only this file reads
 * them.
 */
import {
  type Access,
  contractOperations,
  type FieldAccess,
  type Operation,
  type RecordScope,
  resolve,
  type Schema,
} from '../../contract/contract.ts';
import type { Caller, CompanyMember, Member } from '../../identity/members/member.ts';

export interface OperationAccess {
  scopes: string[];
  /** The records each role reaches; undefined for operations without a company. */
  roles: Access | undefined;
  step_up: 'always' | 'salary' | undefined;
}

/** An operation's rule as a field rule, for its data shown elsewhere. */
export function readersOf(operationId: string): FieldAccess {
  const { operation } = contractOperations.find((each) => each.operation.operationId === operationId)!;
  const { scopes, roles } = operationAccess(operation);
  return { ...roles!, scopes };
}

export function operationAccess(operation: Operation): OperationAccess {
  const { security, 'x-access': roles, 'x-step-up': stepUp } = operation;
  return { scopes: security.flatMap((each) => each.oauth2), roles, step_up: stepUp };
}

/** The reach of a member by an operation; `directory` requires that the company has a people directory. */
export function reachOf(roles: Access, { role, policy }: CompanyMember): RecordScope {
  const reach = roles[role];
  return reach === 'directory' && policy.directory_visibility !== 'basic' ? 'none' : reach;
}

/** The records a role may see: 404 hides all others, 403 protects visible ones that it may not change. */
export const visibility = contractOperations.find(({ operation }) => operation.operationId === 'getCollaborator')!
  .operation['x-access']!;

/** The access rules of a schema's fields; rules of array items as `items.*.salary`. */
export function fieldRules(schema: Schema, kind: 'x-read-access' | 'x-write-access'): Map<string, FieldAccess> {
  const rules = new Map<string, FieldAccess>();
  const whole = resolve(schema);
  for (const part of whole.allOf ?? []) for (const rule of fieldRules(part, kind)) rules.set(...rule);
  for (const [name, property] of Object.entries(whole.properties ?? {})) {
    const rule = property[kind];
    if (rule) rules.set(name, rule);
    if (!property['x-checked-apart']) continue;
    for (const [field, itemRule] of fieldRules(property.items!, kind)) rules.set(`${name}.*.${field}`, itemRule);
  }
  return rules;
}

/** The records each role reaches, by value; other values are unrestricted. */
export type ValueRules = ReadonlyMap<string, Access>;

export function valueRules(schema: Schema): Map<string, ValueRules> {
  const rules = Object.entries(resolve(schema).properties ?? {}).flatMap(([name, property]) => {
    const access = resolve(property)['x-value-access'];
    return access ? [[name, new Map(Object.entries(access))] as const] : [];
  });
  return new Map(rules);
}

/**
 * Whether the caller may access a field of a record.
 * @param recordId the record's owner, within the caller's reach; undefined for a new record
 */
export function canUseField(rule: FieldAccess, caller: Caller, member: Member, recordId: string | undefined): boolean {
  if (rule.scopes?.some((scope) => !caller.scopes.includes(scope))) return false;
  if (rule.step_up && caller.lacks && !isOwn(member, recordId)) return false;
  return reaches(rule, member, recordId);
}

/** In their own record, managers may only change what employees may; otherwise they could move and promote themselves. */
export function canWriteField(
  rule: FieldAccess,
  caller: Caller,
  member: Member,
  recordId: string | undefined,
): boolean {
  if (rule.step_up && caller.lacks) return false;
  const own = member.role === 'manager' && isOwn(member, recordId);
  return canUseField(own ? { ...rule, manager: rule.employee } : rule, caller, member, recordId);
}

/** The reach of a member by a rule. For an installation with the manager role, the team is the whole company. */
export function scopeOf(access: Access, { role, isInstallation }: Member): RecordScope {
  const scope = access[role];
  return scope === 'team' && isInstallation ? 'all' : scope;
}

export function reaches(access: Access, member: Member, recordId: string | undefined): boolean {
  const reach = access[member.role];
  if (reach === 'self') return isOwn(member, recordId);
  return reach === 'all' || (reach === 'team' && recordId !== undefined);
}

/** A new record isn't anyone's own, and an installation has no record. */
function isOwn({ collaborator_id: collaboratorId }: Member, recordId: string | undefined): boolean {
  return recordId !== undefined && recordId === collaboratorId;
}
