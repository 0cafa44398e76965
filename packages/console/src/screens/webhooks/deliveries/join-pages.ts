/** Merges polled pages into one list. */
import type { Delivery, DeliveryPage } from '../../../api/webhooks.ts';

/** Puts the newest page on top of earlier ones; replaces them when the page doesn't overlap them. */
export function mergePages(newest: DeliveryPage, loaded: DeliveryPage | undefined): DeliveryPage {
  const last = newest.data.at(-1);
  const top = loaded?.data[0];
  if (!loaded || !top || !last || !newest.next || isOlder(top, last)) return newest;
  const older = loaded.data.filter((each) => isOlder(each, last));
  return older.length === 0 ? newest : { data: [...newest.data, ...older], next: loaded.next };
}

function isOlder(one: Delivery, other: Delivery): boolean {
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);
}
