/**
 * Who calls, for which company, and whether they may: 401, then the company header 400, then company access 403; later,
 * once the route and the record are known, scope and role 403. An outage on the way is a 503, never a 401.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FieldAccess, RecordScope } from '../../contract/contract.ts';
import { type FieldError, forbidden, insufficientScope, Problem, unauthorized } from '../../contract/problem.ts';
import { findMember, type Member } from '../../identity/members/member.ts';
import type { VerifiedToken } from '../../identity/tokens/verify-token.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { mayUseField, type OperationAccess, reaches, type ValueRules } from '../../product/access/permissions.ts';
import { isId } from '../../product/access/records.ts';

export type VerifyToken = (token: string) => Promise<VerifiedToken>;

/** @throws 401 */
export async function authenticate(headers: IncomingHttpHeaders, verify: VerifyToken): Promise<VerifiedToken> {
  const { authorization } = headers;
  if (!authorization) throw unauthorized('unauthorized', 'An access token is required.');
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1];
  if (!token) throw unauthorized('invalid_token', 'The Authorization header does not hold a bearer token.');
  return verify(token);
}

/** @throws 400 without a usable header, 403 when the company is unknown or not the caller's: the two look the same */
export async function enterCompany(
  headers: IncomingHttpHeaders,
  caller: VerifiedToken,
  db: Database,
): Promise<{ tenant: Tenant; member: Member }> {
  const header = headers['x-company-id'];
  if (typeof header !== 'string' || header === '') {
    throw new Problem(400, 'company_id_required', 'The header X-Company-Id is required.');
  }
  if (!isId(header)) throw new Problem(400, 'company_id_invalid', 'The header X-Company-Id must be a UUID.');
  const tenant = db.tenant(header.toLowerCase());
  const member = await findMember(caller, tenant);
  if (!member) throw new Problem(403, 'company_access_denied', 'This token does not give access to that company.');
  return { tenant, member };
}

/** @throws 403 `insufficient_scope` or `forbidden` */
export function authorize(access: OperationAccess, caller: VerifiedToken, member: Member | undefined): void {
  if (access.scopes.some((scope) => !caller.scopes.includes(scope))) throw insufficientScope(access.scopes);
  if (!access.roles || !member || access.roles[member.role] !== 'none') return;
  throw forbidden(access.roles.manager === 'none' ? 'admin' : 'manager');
}

/** @throws 403 `field_forbidden` that names each field the caller may not write */
export function authorizeFields(
  rules: Map<string, FieldAccess>,
  body: unknown,
  caller: VerifiedToken,
  member: Member,
  record_id: string | undefined,
): void {
  if (rules.size === 0 || typeof body !== 'object' || body === null) return;
  const refused = [...rules]
    .filter(([, rule]) => !mayUseField(rule, caller, member, record_id))
    .flatMap(([field, rule]) =>
      placesOf(field, body as Record<string, unknown>).map((place) => [place, rule] as const),
    );
  if (refused.length === 0) return;
  const [first] = refused[0]!;
  const message = `You may not write ${refused.length <= 3 ? refused.map(([place]) => place).join(', ') : `${first} and others`}.`;
  throw new Problem(403, 'field_forbidden', message, {
    details: Object.fromEntries(refused.slice(0, most_named).map(([place, rule]) => [place, [refusal(rule)]])),
  });
}

/** Fields that a refusal names; it is short even where each of 1,000 items has the field. */
const most_named = 100;

/** Where a body has a field: `salary`, or `items.3.salary` for the rule `items.*.salary`. */
function placesOf(field: string, body: Record<string, unknown>): string[] {
  const [list, , of_item] = field.split('.');
  if (of_item === undefined) return Object.hasOwn(body, field) ? [field] : [];
  const items = Object.hasOwn(body, list!) && Array.isArray(body[list!]) ? (body[list!] as unknown[]) : [];
  return items.flatMap((item, index) => {
    const has = typeof item === 'object' && item !== null && Object.hasOwn(item, of_item);
    return has ? [`${list}.${index}.${of_item}`] : [];
  });
}

/** @throws 403 `forbidden` for a value that is not for this caller to write */
export function authorizeValues(
  rules: Map<string, ValueRules>,
  body: unknown,
  member: Member,
  record_id: string | undefined,
): void {
  if (rules.size === 0 || typeof body !== 'object' || body === null) return;
  for (const [field, values] of rules) {
    const access = values.get(String((body as Record<string, unknown>)[field]));
    if (access && !reaches(access, member, record_id)) throw forbidden(ofOthers(access.manager) ? 'manager' : 'admin');
  }
}

function ofOthers(reach: RecordScope): boolean {
  return reach === 'all' || reach === 'team';
}

function refusal(rule: FieldAccess): FieldError {
  const role = rule.employee !== 'none' ? 'employee' : rule.manager !== 'none' ? 'manager' : 'admin';
  const scopes = rule.scopes?.length ? ` and the scope ${rule.scopes.join(' ')}` : '';
  return { code: 'field_not_allowed', message: `Writing this field needs the role ${role}${scopes}.` };
}
