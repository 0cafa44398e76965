/** How many people there are, by month and by department. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas } from './client/client.ts';

export type HeadcountMonth = Schemas['HeadcountMonth'];
export type HeadcountDepartment = Schemas['HeadcountDepartment'];

export const headcountQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'people', 'headcount'],
    queryFn: () => bodyOf(api.GET('/v1/headcount', { params: { header: inCompany(company) } })),
    staleTime: 60_000,
  });
