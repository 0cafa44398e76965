/** Merges polled pages into one list. */
import type { Delivery, DeliveryPage } from '../../../api/webhooks.ts';

/** Puts the newest page on top of earlier ones; replaces them when the page doesn't overlap them. */
export function joined(newest: DeliveryPage, seen: DeliveryPage | undefined): DeliveryPage {
  const last = newest.data.at(-1);
  const top = seen?.data[0];
  if (!seen || !top || !last || !newest.next || isBelow(top, last)) return newest;
  const below = seen.data.filter((each) => isBelow(each, last));
  return below.length === 0 ? newest : { data: [...newest.data, ...below], next: seen.next };
}

function isBelow(one: Delivery, other: Delivery): boolean {
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);
}
