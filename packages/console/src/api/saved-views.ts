/** The user's saved views of lists, stored by the service, so they are available on every device. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';

export type SavedView = Schemas['SavedView'];
export type NewSavedView = Schemas['SavedViewCreate'];
export type ViewChange = Schemas['SavedViewUpdate'];

export const savedViewsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'saved-views'],
    queryFn: async () => (await bodyOf(api.GET('/v1/saved-views', { params: { header: inCompany(company) } }))).data,
    staleTime: 60_000,
  });

export const saveView = (company: string, body: NewSavedView): Promise<SavedView> =>
  bodyOf(api.POST('/v1/saved-views', { params: { header: withIdempotencyKey(company) }, body }));

export const changeView = (company: string, id: string, body: ViewChange): Promise<SavedView> =>
  bodyOf(api.PATCH('/v1/saved-views/{id}', { params: { header: withIdempotencyKey(company), path: { id } }, body }));

export const removeView = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/saved-views/{id}', { params: { header: inCompany(company), path: { id } } }));
