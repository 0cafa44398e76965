/**
 * The access rules of the contract: scopes in `security`, roles and reach in `x-access`, and for single fields
 * `x-read-access` and `x-write-access`. Only this file reads them.
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
  /** Every one of these must be in the token. */
  scopes: string[];
  /** Which records each role reaches; undefined for operations that act for no company. */
  roles: Access | undefined;
  /** When a recent sign-in is asked for. */
  step_up: 'always' | 'salary' | undefined;
}

/** The rule of an operation as one of a field: for what is shown elsewhere to those only who may call it. */
export function readersOf(operationId: string): FieldAccess {
  const { operation } = contractOperations.find((each) => each.operation.operationId === operationId)!;
  const { scopes, roles } = operationAccess(operation);
  return { ...roles!, scopes };
}

export function operationAccess(operation: Operation): OperationAccess {
  const { security, 'x-access': roles, 'x-step-up': stepUp } = operation;
  return { scopes: security.flatMap((each) => each.oauth2), roles, step_up: stepUp };
}

/** What a member reaches with an operation: the people directory only where the company has one. */
export function reachOf(roles: Access, { role, policy }: CompanyMember): RecordScope {
  const reach = roles[role];
  return reach === 'directory' && policy.directory_visibility !== 'basic' ? 'none' : reach;
}

/** What a role may see at all: 404 hides the rest, 403 is for what it sees but may not change. */
export const visibility = contractOperations.find(({ operation }) => operation.operationId === 'getCollaborator')!
  .operation['x-access']!;

/** The fields of a schema that carry an access rule of one kind; those of items that are checked apart as `items.*.salary`. */
export function fieldRules(schema: Schema, kind: 'x-read-access' | 'x-write-access'): Map<string, FieldAccess> {
  const rules = new Map<string, FieldAccess>();
  const whole = resolve(schema);
  for (const part of whole.allOf ?? []) for (const rule of fieldRules(part, kind)) rules.set(...rule);
  for (const [name, property] of Object.entries(whole.properties ?? {})) {
    const rule = property[kind];
    if (rule) rules.set(name, rule);
    if (!property['x-checked-apart']) continue;
    for (const [field, ofItem] of fieldRules(property.items!, kind)) rules.set(`${name}.*.${field}`, ofItem);
  }
  return rules;
}

/** Whose records with a value each role reaches; values that are not named are open to everyone. */
export type ValueRules = ReadonlyMap<string, Access>;

/** The properties of a schema of which single values carry an access rule. */
export function valueRules(schema: Schema): Map<string, ValueRules> {
  const rules = Object.entries(resolve(schema).properties ?? {}).flatMap(([name, property]) => {
    const access = resolve(property)['x-value-access'];
    return access ? [[name, new Map(Object.entries(access))] as const] : [];
  });
  return new Map(rules);
}

/**
 * Whether a field of a record is open to the caller.
 * @param recordId the collaborator that the field belongs to, already known to be in the caller's reach; undefined
 *   for one that does not exist yet
 */
export function mayUseField(rule: FieldAccess, caller: Caller, member: Member, recordId: string | undefined): boolean {
  if (rule.scopes?.some((scope) => !caller.scopes.includes(scope))) return false;
  if (rule.step_up && caller.lacks && !isOwn(member, recordId)) return false;
  return reaches(rule, member, recordId);
}

/**
 * Whether the caller may change a field of a record. Of their own record managers change what employees may, or somebody with
 * a team could move and promote themselves.
 * @param recordId as for `mayUseField`
 */
export function mayWriteField(
  rule: FieldAccess,
  caller: Caller,
  member: Member,
  recordId: string | undefined,
): boolean {
  if (rule.step_up && caller.lacks) return false;
  const own = member.role === 'manager' && isOwn(member, recordId);
  return mayUseField(own ? { ...rule, manager: rule.employee } : rule, caller, member, recordId);
}

/** Whose records a member reaches by a rule: an installation that is a manager has the company for a team. */
export function scopeOf(access: Access, { role, isInstallation }: Member): RecordScope {
  const scope = access[role];
  return scope === 'team' && isInstallation ? 'all' : scope;
}

/** @param recordId as for `mayUseField` */
export function reaches(access: Access, member: Member, recordId: string | undefined): boolean {
  const reach = access[member.role];
  if (reach === 'self') return isOwn(member, recordId);
  return reach === 'all' || (reach === 'team' && recordId !== undefined);
}

/** A record that does not exist yet is nobody's own, and an installation has no record. */
function isOwn({ collaborator_id: collaboratorId }: Member, recordId: string | undefined): boolean {
  return recordId !== undefined && recordId === collaboratorId;
}
