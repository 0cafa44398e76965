/** Levels of the org chart. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas } from './client/client.ts';

export type OrgChartNode = Schemas['OrgChartNode'];

export interface Level {
  /** Omit for the top. */
  manager_id?: string;
  /** Only people with reports, or only people without. */
  has_reports?: boolean;
}

const levelSize = 50;

/** Pages of nodes, with the total count. */
export const levelQuery = (company: string, level: Level) =>
  infiniteQueryOptions({
    queryKey: [company, 'people', 'org', level],
    queryFn: async ({ pageParam }) => {
      const query = { ...level, limit: levelSize, cursor: pageParam || undefined };
      const params = { header: inCompany(company), query };
      const { data, pagination } = await bodyOf(api.GET('/v1/org-chart', { params }));
      return { data, total: pagination.total ?? data.length, next: pagination.nextCursor ?? undefined };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 30_000,
  });

/** A page of a level, of people either with or without reports. */
export interface ChartLevel extends Level {
  cursor?: string;
}

const chartQuery = (company: string, level: ChartLevel & { path_to?: string }) =>
  queryOptions({
    queryKey: [company, 'people', 'chart', level],
    queryFn: async () => {
      const params = { header: inCompany(company), query: { ...level, limit: levelSize } };
      const { data, pagination } = await bodyOf(api.GET('/v1/org-chart', { params }));
      return { nodes: data, total: pagination.total ?? data.length, next: pagination.nextCursor ?? undefined };
    },
    staleTime: 30_000,
  });

export const chartPageQuery = (company: string, level: ChartLevel) => chartQuery(company, level);

/** The management chain from the top down to this person. */
export const chartPathQuery = (company: string, id: string) => chartQuery(company, { path_to: id });
