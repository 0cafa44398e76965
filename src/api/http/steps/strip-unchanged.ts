/**
 * Removes unchanged read-only values from the body, so that a client can read a record, change it, and send it back. They aren't
 * written, even if the record changes meanwhile. Values hidden from the caller are never compared, because the response would
 * reveal them.
 */
import { canWriteField } from '../../../product/access/permissions.ts';
import type { OperationId, Services } from '../../handler.ts';
import type { RequestContext, Step } from '../request-context.ts';

type Shows = (field: string, value: unknown) => boolean;

export type ShownValue = (exchange: RequestContext, services: Services) => Shows | Promise<Shows>;

/** By operation; empty for operations that change nothing visible. */
export type ShownValues = Readonly<Partial<Record<OperationId, ShownValue>>>;

export function leaveUnchanged(values: ShownValues, services: Services): Step {
  return async (exchange) => {
    const { operation, body } = exchange;
    const shown = values[operation.operationId];
    if (!shown || typeof body.value !== 'object' || body.value === null) return;
    const value = body.value as Record<string, unknown>;
    const fields = unwritable(exchange, value);
    if (fields.length === 0) return;
    const shows = await shown(exchange, services);
    const unchanged = new Set(fields.filter((field) => shows(field, value[field])));
    if (unchanged.size === 0) return;
    const left = Object.entries(value).filter(([field]) => !unchanged.has(field));
    // Keep the identity: a retry is the same request even if the record has changed.
    exchange.body = { ...body, value: Object.fromEntries(left) };
  };
}

function unwritable({ operation, caller, company, resource }: RequestContext, value: object): string[] {
  const { compared } = operation.readOnlyFields;
  return Object.keys(value).filter((field) => {
    const rule = operation.writeRules.get(field);
    return compared.has(field) || (rule && company && !canWriteField(rule, caller, company.member, resource.record_id));
  });
}
