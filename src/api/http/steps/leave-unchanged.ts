/**
 * Takes out of the body what is sent back as an answer showed it, and what the caller could not write: so a record can be
 * read, changed and put back. What was taken out is not written, whoever changes the record meanwhile. A value that the
 * caller may not see is never compared, or the answer would tell it.
 */
import { mayWriteField } from '../../../product/access/permissions.ts';
import type { OperationId, Services } from '../../handler.ts';
import type { Exchange, Step } from '../exchange.ts';

type Shows = (field: string, value: unknown) => boolean;

/** @returns whether answers show a field with a value */
export type ShownValue = (exchange: Exchange, services: Services) => Shows | Promise<Shows>;

/** By operation; none for those that change nothing that is shown. */
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
    // The identity stays: the same request, sent again, is the same although the record has changed.
    exchange.body = { ...body, value: Object.fromEntries(left) };
  };
}

function unwritable({ operation, caller, company, resource }: Exchange, value: object): string[] {
  const { compared } = operation.shownOnly;
  return Object.keys(value).filter((field) => {
    const rule = operation.writeRules.get(field);
    return compared.has(field) || (rule && company && !mayWriteField(rule, caller, company.member, resource.record_id));
  });
}
