/** Updates a company, by its admins or the operator: only sent fields, and only if they differ. */
import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../../generated/api.ts';
import { trustedNameErrors } from '../../contract/error-messages.ts';
import { t } from '../../contract/languages/text.ts';
import { type FieldErrors, Problem, validationError } from '../../contract/problem.ts';
import { scopes } from '../../identity/grants/scopes.ts';
import { secondFactorSince } from '../../identity/members/company-policy.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { isLocale } from '../../platform/values/locales.ts';
import { isTimeZone } from '../../platform/values/time-zones.ts';
import { beyondLimits, limitsOf } from '../access/installation-limits.ts';
import { emit } from '../events/emit.ts';
import {
  type CompanyResponse,
  type CompanyRow,
  companyEtag,
  companyResponse,
  readCompany,
} from './company-response.ts';

/** Without read-only fields. */
type CompanyChange = Pick<components['schemas']['CompanyUpdate'], 'name' | 'time_zone' | 'locale' | 'policy'>;

const maxAttempts = 5;

/**
 * Changes the company and notifies its subscribers. Does nothing if nothing differs.
 * @param actor `null` for the operator
 * @param expected accepted entity tags; undefined for any
 * @throws 400 for a name, time zone, language, or scope; 403 for the policy, by an installation; 412 if no tag matches
 */
export async function changeCompany(
  tx: TenantTransaction,
  actor: { user_id: string } | null,
  change: CompanyChange,
  expected?: readonly string[],
): Promise<CompanyRow> {
  for (let attempt = 1; ; attempt++) {
    const before = await readCompany(tx);
    const errors = changeErrors(change);
    if (Object.keys(errors).length > 0) throw validationError(errors);
    if (expected && !expected.includes(companyEtag(before))) throw changedConcurrently();
    const updated = withChange(before, change);
    const changedFields = differences(companyResponse(before), companyResponse(updated));
    if (changedFields.length === 0) return before;
    const changesPolicy = changedFields.some((field) => field.startsWith('policy.'));
    if (changesPolicy && (await limitsOf(tx, actor?.user_id ?? null)))
      throw beyondLimits(t`An installed app can't change the security policy of the company.`);
    const row = { ...updated, updated_at: new Date().toISOString() };
    if (await store(tx, row)) {
      await notifyChange(tx, actor, row, changedFields);
      return row;
    }
    if (attempt === maxAttempts) throw changedConcurrently();
  }
}

function withChange(row: CompanyRow, { name, time_zone: timeZone, locale, policy }: CompanyChange): CompanyRow {
  const policyChange = Object.fromEntries(Object.entries(policy ?? {}).filter(([, value]) => value !== undefined));
  return {
    ...row,
    ...(name !== undefined && { name }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(locale !== undefined && { locale: locale || null }),
    policy: { ...(row.policy as object), ...policyChange, ...requiredSince(row, policyChange) } as CompanyRow['policy'],
  };
}

/** When a second factor was first required, which starts people's grace period. */
function requiredSince(
  row: CompanyRow,
  { require_second_factor: requireSecondFactor }: { require_second_factor?: unknown },
) {
  if (requireSecondFactor === undefined) return {};
  const since = secondFactorSince(row.policy) ?? new Date().toISOString();
  return { second_factor_since: requireSecondFactor ? since : undefined };
}

/** @returns false if the company has changed since it was read */
async function store(tx: TenantTransaction, row: CompanyRow): Promise<boolean> {
  const { id, name, time_zone: timeZone, locale, updated_at: updatedAt, revision } = row;
  const { numUpdatedRows } = await tx.global
    .updateTable('companies')
    .set({
      name,
      time_zone: timeZone,
      locale,
      policy: JSON.stringify(row.policy),
      updated_at: updatedAt,
      revision: revision + 1,
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function notifyChange(
  tx: TenantTransaction,
  actor: { user_id: string } | null,
  row: CompanyRow,
  changedFields: string[],
): Promise<void> {
  // Processes cache the policy with memberships.
  if (changedFields.some((field) => field.startsWith('policy.'))) {
    await notifyAccessChanged(tx.raw, { company_id: tx.company_id });
  }
  emit(tx, 'company.updated', {
    company: companyResponse(row),
    changed_fields: changedFields,
    changed_by: actor?.user_id ?? null,
  });
}

function differences(before: CompanyResponse, after: CompanyResponse): string[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  return Object.keys(to).filter((field) => !isDeepStrictEqual(from[field], to[field]));
}

function fieldsOf({ name, time_zone: timeZone, locale, policy }: CompanyResponse): Record<string, unknown> {
  const policyFields = Object.entries(policy).map(([field, value]) => [`policy.${field}`, value]);
  return { name, time_zone: timeZone, locale, ...Object.fromEntries(policyFields) };
}

function changeErrors({ name = '', time_zone: timeZone, locale, policy }: CompanyChange): FieldErrors {
  const errors: FieldErrors = {};
  const nameErrors = trustedNameErrors(name);
  if (nameErrors.length > 0) errors.name = nameErrors;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const message = t`There is no such time zone. Must be its name, such as America/Sao_Paulo.`;
    errors.time_zone = [{ code: 'invalid_format', message }];
  }
  if (locale && !isLocale(locale)) {
    errors.locale = [{ code: 'invalid_format', message: t`Must be a language, such as pt-BR.` }];
  }
  for (const [at, scope] of (policy?.allowed_scopes ?? []).entries()) {
    if (Object.hasOwn(scopes, scope)) continue;
    errors[`policy.allowed_scopes.${at}`] = [{ code: 'not_in_enum', message: t`There is no such scope.` }];
  }
  return errors;
}

function changedConcurrently(): Problem {
  return new Problem(412, 'precondition_failed', t`The company has changed since you read it. Read it again.`);
}
