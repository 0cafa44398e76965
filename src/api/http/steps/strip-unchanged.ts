/**
 * Removes unchanged read-only values from the body, so that a client can read a record, change it, and send it back. They aren't
 * written, even if the record changes meanwhile. Values hidden from the caller are never compared, because the response would
 * reveal them.
 */
import { canWriteField } from '../../../product/access/permissions.ts';
import type { OperationId, Services } from '../../handler.ts';
import type { RequestContext, Step } from '../request-context.ts';

type IsUnchanged = (field: string, value: unknown) => boolean;

export type UnchangedCheck = (exchange: RequestContext, services: Services) => IsUnchanged | Promise<IsUnchanged>;

/** By operation; empty for operations that change nothing visible. */
export type UnchangedChecks = Readonly<Partial<Record<OperationId, UnchangedCheck>>>;

export function stripUnchanged(values: UnchangedChecks, services: Services): Step {
  return async (exchange) => {
    const { operation, body } = exchange;
    const check = values[operation.operationId];
    if (!check || typeof body.value !== 'object' || body.value === null) return;
    const value = body.value as Record<string, unknown>;
    const fields = unwritable(exchange, value);
    if (fields.length === 0) return;
    const isUnchanged = await check(exchange, services);
    const unchanged = new Set(fields.filter((field) => isUnchanged(field, value[field])));
    if (unchanged.size === 0) return;
    const remaining = Object.entries(value).filter(([field]) => !unchanged.has(field));
    // Keep the identity: a retry is the same request even if the record has changed.
    exchange.body = { ...body, value: Object.fromEntries(remaining) };
  };
}

function unwritable({ operation, caller, company, resource }: RequestContext, value: object): string[] {
  const { compared } = operation.readOnlyFields;
  return Object.keys(value).filter((field) => {
    const rule = operation.writeRules.get(field);
    return compared.has(field) || (rule && company && !canWriteField(rule, caller, company.member, resource.record_id));
  });
}
