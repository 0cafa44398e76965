/** Live deliveries, newest first: polls the newest hundred, and loads older ones once, on scroll. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type DeliveryPage, deliveryPage, type Filters, pollIntervalMs } from '../../../api/webhooks.ts';
import { mergePages } from './join-pages.ts';

export function useLiveDeliveries(company: string, webhook: string, filters: Filters, live: boolean) {
  const queries = useQueryClient();
  const queryKey = [company, 'webhooks', webhook, 'deliveries', 'list', filters];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const newest = await deliveryPage(company, webhook, filters);
      return mergePages(newest, queries.getQueryData<DeliveryPage>(queryKey));
    },
    refetchInterval: live && pollIntervalMs,
  });
  const requestedCursor = useRef<string>(undefined);
  const loadMore = async () => {
    const cursor = data?.next;
    if (!cursor || requestedCursor.current === cursor) return;
    requestedCursor.current = cursor;
    try {
      const page = await deliveryPage(company, webhook, filters, cursor);
      queries.setQueryData<DeliveryPage>(queryKey, (now) =>
        now?.next === cursor ? { data: [...now.data, ...page.data], next: page.next } : now,
      );
    } catch {
      requestedCursor.current = undefined; // the next scroll retries; polling shows the outage
    }
  };
  return { deliveries: data?.data, hasMore: data?.next !== undefined, error, refetch, loadMore };
}
