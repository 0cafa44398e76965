/** OAuth clients (apps) registered by the company. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, ifMatch, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';

export type App = Schemas['App'];
export type AppChange = Schemas['AppUpdate'];
export type AppWithSecret = Schemas['AppWithSecret'];

/** Not paginated: a company has at most twenty. */
export const appsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'apps'],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/apps', { params: { header: inCompany(company), query: { limit: 100 } } }))).data,
  });

export interface VersionedApp {
  app: App;
  etag: string | null;
}

const versioned = async (request: Promise<{ data?: App; response: Response }>): Promise<VersionedApp> => {
  const { data, response } = await request;
  return { app: data as App, etag: response.headers.get('etag') };
};

export const appQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'apps', id],
    queryFn: () => versioned(api.GET('/v1/apps/{id}', { params: { header: inCompany(company), path: { id } } })),
  });

export function createApp(company: string, body: Schemas['AppCreate']): Promise<AppWithSecret> {
  return bodyOf(api.POST('/v1/apps', { params: { header: withIdempotencyKey(company) }, body }));
}

/** @throws ApiError 412 when the app has changed since `etag` */
export function changeApp(company: string, id: string, body: AppChange, etag: string | null): Promise<VersionedApp> {
  const params = { header: { ...inCompany(company), ...ifMatch(etag) }, path: { id } };
  return versioned(api.PUT('/v1/apps/{id}', { params, body }));
}

export const removeApp = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/apps/{id}', { params: { header: inCompany(company), path: { id } } }));

/** @param immediately revokes all earlier secrets now, for example after a leak */
export function rotateAppSecret(company: string, id: string, immediately: boolean): Promise<AppWithSecret> {
  const params = { header: withIdempotencyKey(company), path: { id } };
  return bodyOf(api.POST('/v1/apps/{id}/rotate-secret', { params, body: { immediately } }));
}
