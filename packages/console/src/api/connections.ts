/** Access that people granted to apps, and app installations. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas } from './client/client.ts';

export type Connection = Schemas['Connection'];

export interface ConnectionFilters {
  client_id?: string;
  kind?: 'person' | 'installation';
  /** The person who granted access. */
  user_id?: string;
  /** Only installations that wait for an admin's confirmation. */
  needs_confirmation?: boolean;
}

interface ConnectionPage {
  data: Connection[];
  next: string | undefined;
}

/** Newest first. */
export async function connectionPage(
  company: string,
  filters: ConnectionFilters,
  cursor?: string,
): Promise<ConnectionPage> {
  const query = { ...filters, cursor, limit: 100 };
  const { data, pagination } = await bodyOf(
    api.GET('/v1/connections', { params: { header: inCompany(company), query } }),
  );
  return { data, next: pagination.nextCursor ?? undefined };
}

/** The newest hundred; their apps and people are the filter options. */
export const newestConnectionsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'connections', 'newest'],
    queryFn: async () => (await connectionPage(company, {})).data,
    staleTime: 60_000,
  });

export const connectionQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'connections', 'one', id],
    queryFn: () => bodyOf(api.GET('/v1/connections/{id}', { params: { header: inCompany(company), path: { id } } })),
  });

/** Installations to confirm: the person who installed them was demoted or has left. */
export const unconfirmedQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'connections', 'unconfirmed'],
    queryFn: async () => (await connectionPage(company, { needs_confirmation: true })).data,
    refetchInterval: 60_000,
  });

export const confirmConnection = (company: string, id: string) =>
  bodyOf(api.POST('/v1/connections/{id}/confirm', { params: { header: inCompany(company), path: { id } } }));

export const endConnection = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/connections/{id}', { params: { header: inCompany(company), path: { id } } }));
