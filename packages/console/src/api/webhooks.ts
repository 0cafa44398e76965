/** Webhook endpoints and their deliveries. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
export type DeliveryStatus = Schemas['DeliveryStatus'];
export type Attempt = Schemas['DeliveryAttempt'];

export const pollIntervalMs = 3_000;
/** The contract's maximum. */
const pageSize = 100;

/** Not paginated: a company has at most twenty. */
export const webhooksQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'webhooks'],
    queryFn: async () => {
      const query = { limit: pageSize };
      return (await bodyOf(api.GET('/v1/webhooks', { params: { header: inCompany(company), query } }))).data;
    },
    refetchInterval: 10_000,
  });

export const webhookQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'webhooks', id],
    queryFn: () => bodyOf(api.GET('/v1/webhooks/{id}', { params: { header: inCompany(company), path: { id } } })),
    refetchInterval: pollIntervalMs,
  });

/** Delivery statistics; polled rarely, because they aggregate a thousand deliveries. */
export const figuresQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'webhooks', id, 'figures'],
    queryFn: () =>
      bodyOf(api.GET('/v1/webhooks/{id}/figures', { params: { header: inCompany(company), path: { id } } })),
    refetchInterval: 10_000,
  });

export interface Filters {
  status?: DeliveryStatus;
  /** An event name, or a namespace such as `collaborator.*`. */
  event?: string;
  since?: string;
  until?: string;
}

export interface DeliveryPage {
  data: Delivery[];
  next: string | undefined;
}

/** Newest first. */
export async function deliveryPage(
  company: string,
  webhook: string,
  filters: Filters,
  cursor?: string,
  limit = pageSize,
): Promise<DeliveryPage> {
  const { data, pagination } = await bodyOf(
    api.GET('/v1/webhooks/{id}/deliveries', {
      params: { header: inCompany(company), path: { id: webhook }, query: { ...filters, limit, cursor } },
    }),
  );
  return { data, next: pagination.nextCursor ?? undefined };
}

const underWay: readonly DeliveryStatus[] = ['pending', 'delivering'];

/** Polls while the delivery is pending. */
export const deliveryQuery = (company: string, webhook: string, id: string) =>
  queryOptions({
    queryKey: [company, 'webhooks', webhook, 'deliveries', id],
    queryFn: () => {
      const path = { id: webhook, delivery_id: id };
      return bodyOf(
        api.GET('/v1/webhooks/{id}/deliveries/{delivery_id}', { params: { header: inCompany(company), path } }),
      );
    },
    refetchInterval: ({ state }) => (state.data && underWay.includes(state.data.status) ? 1_000 : 10_000),
  });

export const eventTypesQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'event-types', document.documentElement.lang],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/webhooks/event-types', { params: { header: inCompany(company) } }))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

export function redeliver(company: string, webhook: string, deliveryId: string): Promise<Delivery> {
  const path = { id: webhook, delivery_id: deliveryId };
  return bodyOf(
    api.POST('/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
      params: { header: withIdempotencyKey(company), path },
    }),
  );
}

export function redeliverRange(company: string, webhook: string, body: Schemas['RedeliveryRange']) {
  const params = { header: withIdempotencyKey(company), path: { id: webhook } };
  return bodyOf(api.POST('/v1/webhooks/{id}/redeliver', { params, body }));
}

/** Re-enables an endpoint, and replays missed events from this time on, if given. */
export function activate(company: string, webhook: string, replayFrom?: string): Promise<Webhook> {
  const params = { header: withIdempotencyKey(company), path: { id: webhook } };
  return bodyOf(
    api.POST('/v1/webhooks/{id}/activate', { params, body: replayFrom ? { replay_from: replayFrom } : {} }),
  );
}

export function sendTest(company: string, webhook: string): Promise<Schemas['DeliveryWithAttempts'] | Delivery> {
  const params = { header: withIdempotencyKey(company), path: { id: webhook }, query: { wait: true } };
  return bodyOf(api.POST('/v1/webhooks/{id}/test', { params }));
}

export type EventType = Schemas['EventType'];
export type WebhookChange = Schemas['WebhookUpdate'];

export function createWebhook(company: string, body: Schemas['WebhookCreate']): Promise<Schemas['WebhookWithSecret']> {
  return bodyOf(api.POST('/v1/webhooks', { params: { header: withIdempotencyKey(company) }, body }));
}

export function changeWebhook(company: string, id: string, body: WebhookChange): Promise<Webhook> {
  return bodyOf(api.PUT('/v1/webhooks/{id}', { params: { header: inCompany(company), path: { id } }, body }));
}

export function removeWebhook(company: string, id: string) {
  return bodyOf(api.DELETE('/v1/webhooks/{id}', { params: { header: inCompany(company), path: { id } } }));
}

/** @param immediately revokes the previous secret now, for example after a leak */
export function rotateSecret(
  company: string,
  id: string,
  immediately: boolean,
): Promise<Schemas['WebhookSecretRotated']> {
  const params = { header: withIdempotencyKey(company), path: { id } };
  return bodyOf(api.POST('/v1/webhooks/{id}/rotate-secret', { params, body: { immediately } }));
}
