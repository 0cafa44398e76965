/** What people allowed apps to do in a company, and what is installed there. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas } from './client.ts';

export type Connection = Schemas['Connection'];

/** What of the connections is shown. */
export interface ConnectionFilters {
  /** Of an app. */
  client_id?: string;
  kind?: 'person' | 'installation';
  /** Who allowed it. */
  user_id?: string;
  /** Whether admins are asked about it. */
  needs_confirmation?: boolean;
}

interface ConnectionPage {
  data: Connection[];
  next: string | undefined;
}

/** The newest first. */
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

/** The newest hundred: whose apps and people the filters offer. */
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

/** Installations that admins are asked about: whoever installed them was demoted, or has left. */
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
