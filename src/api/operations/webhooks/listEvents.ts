import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { keysetPage } from '../../../platform/db/cursor.ts';
import { optionalMoment } from '../../../platform/values/moments.ts';
import {
  eventResponse,
  eventsWereRemoved,
  lastNumber,
  latestEvents,
  recordedEvents,
} from '../../../product/webhooks/event-feed.ts';
import type { Handler, Request } from '../../handler.ts';

type Query = Request<'listEvents'>['query'];

export const listEvents: Handler<'listEvents'> = async ({ query }, { tenant, cursors }) => {
  const { limit = 20, cursor, event, since, start } = query;
  refuseTwoStarts(query);
  const filters = { event, since: optionalMoment(since) };
  const binding = ['listEvents', tenant.company_id, filters];
  const [after] = cursor === undefined ? [] : (cursors.open(cursor, binding) as [number]);
  // Read first: the next query sees every event numbered up to this one.
  const last = await lastNumber(tenant);
  const found =
    start === 'latest'
      ? (await latestEvents(tenant, event, limit)).reverse()
      : await recordedEvents(tenant, filters, limit + 1, after);
  const sealed = (sequence: number | null) => cursors.seal([sequence], binding);
  const { rows, pagination } = keysetPage(found, limit, ({ sequence }) => sealed(sequence));
  const end = Math.max(rows.at(-1)?.sequence ?? 0, after ?? 0, pagination.hasMore ? 0 : last);
  const hasGap = after !== undefined && (await eventsWereRemoved(tenant, after, last, rows[0]?.sequence));
  return { status: 200, body: { data: rows.map(eventResponse), pagination, position: sealed(end), has_gap: hasGap } };
};

/** @throws 400 `invalid_parameter` if `start` is combined with another start position */
function refuseTwoStarts({ start, cursor, since }: Query): void {
  if (start !== 'latest') return;
  const others = Object.entries({ cursor, since }).filter(([, value]) => value !== undefined);
  if (others.length === 0) return;
  const error = { code: 'field_not_allowed', message: t`This parameter can't be combined with start=latest.` };
  const details = Object.fromEntries(others.map(([name]) => [name, [error]]));
  throw new Problem(400, 'invalid_parameter', t`The starting point was sent twice.`, { details });
}
