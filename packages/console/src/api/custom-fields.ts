/** The fields that a company has defined for its people. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas } from './client.ts';

export type CustomField = Schemas['CustomField'];

/** All that the reader may know of, in their order; a company has 100 at most. */
export const customFieldsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'custom-fields'],
    queryFn: async () => {
      const params = { header: inCompany(company), query: { limit: 100 } };
      return (await bodyOf(api.GET('/v1/custom-fields', { params }))).data;
    },
    staleTime: 60_000,
  });
