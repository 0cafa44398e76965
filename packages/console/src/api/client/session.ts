/** The signed-in user, their companies, and their permissions: loaded once for the whole frame. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['who'],
  queryFn: () => bodyOf(api.GET('/auth/user')),
  staleTime: 300_000,
});

/** Operation ids. */
export type Permissions = ReadonlySet<string>;

/** Operation ids the user may call in a company; some of them may require a recent sign-in. */
export const permissionsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'rights'],
    queryFn: async () => {
      const list = await bodyOf(api.GET('/v1/permissions', { params: { header: inCompany(company) } }));
      const allowed = list.data.filter(
        ({ missing_scopes: missingScopes, reach }) => missingScopes.length === 0 && reach !== 'none',
      );
      return new Set(allowed.map(({ operation_id: operationId }) => operationId));
    },
    staleTime: 300_000,
  });
