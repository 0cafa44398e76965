/** A page of a list: the first pages of a whole company by a prepared statement, all others by `list-statements.ts`. */
import { type PointRead, pointRead } from '../../../platform/db/statement.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { type ListedRow, listedColumns } from '../../access/records.ts';
import { type CollaboratorQuery, isUnfiltered } from './collaborator-filters.ts';
import { ordered, type SortKey, sortKeys } from './list-order.ts';
import { afterOffset, type Listing, type Slice, walkOrder } from './list-statements.ts';

/** Walking this many rows takes no longer than a point read. */
const maxNearOffset = 1_000;

export async function pageOf(tenant: Tenant, listing: Listing, { limit, offset = 0 }: Slice): Promise<ListedRow[]> {
  const { member, filters, sort, orders = [], columns } = listing;
  const keys = sortKeys(sort, orders);
  const hasStandardOrder = orders.length === 0;
  if (
    hasStandardOrder &&
    columns === listedColumns &&
    keys.length === 2 &&
    offset <= maxNearOffset &&
    isUnfiltered(member, filters)
  )
    return nearPage(keys)(tenant, limit, offset);
  return walkOrder(tenant, listing, { limit, offset });
}

type NearPage = PointRead<[limit: number, offset: number], ListedRow>;

const nearPages = new Map<string, NearPage>();

/** The first pages of the whole company, the most common lists. Cached per order; one field only, to limit the statements. */
function nearPage(keys: SortKey[]): NearPage {
  const order = keys.map(({ name, descending }) => `${descending ? '-' : ''}${name}`).join();
  const known = nearPages.get(order);
  if (known) return known;
  const page: NearPage = pointRead((tenant: Tenant, limit: number, offset: number) => {
    const everyone = tenant.selectFrom('collaborators') as unknown as CollaboratorQuery;
    const walked = ordered(everyone.where('deleted_at', 'is', null), keys).limit(limit);
    return afterOffset(tenant, walked, keys, offset).select(listedColumns);
  });
  nearPages.set(order, page);
  return page;
}
