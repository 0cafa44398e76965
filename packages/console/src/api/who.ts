/** Who is signed in, for which companies, and what they may do there: asked once, for the whole frame. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany } from './client.ts';

export const whoQuery = queryOptions({
  queryKey: ['who'],
  queryFn: () => bodyOf(api.GET('/auth/user')),
  staleTime: 300_000,
});

/** Names of operations. */
export type Rights = ReadonlySet<string>;

/** The operations that may be called in a company, by their names in the contract; for some of them the person may have to sign in anew. */
export const rightsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'rights'],
    queryFn: async () => {
      const list = await bodyOf(api.GET('/v1/permissions', { params: { header: inCompany(company) } }));
      const mine = list.data.filter(
        ({ missing_scopes: missingScopes, reach }) => missingScopes.length === 0 && reach !== 'none',
      );
      return new Set(mine.map(({ operation_id: operationId }) => operationId));
    },
    staleTime: 300_000,
  });
