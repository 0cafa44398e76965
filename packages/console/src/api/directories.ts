/** The company's directories: identity providers that provision people through SCIM. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, ifMatch, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';

export type Directory = Schemas['Directory'];
type DirectoryChange = Schemas['DirectoryUpdate'];
export type DirectoryWithToken = Schemas['DirectoryWithToken'];
export type DirectoryGroup = Schemas['DirectoryGroup'];
export type DirectoryRole = Schemas['DirectoryRole'];

const pageSize = 20;
const maxGroups = 100;

/** Not paginated: a company has at most three. */
export const directoriesQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'directories'],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/directories', { params: { header: inCompany(company), query: { limit: 100 } } })))
        .data,
  });

export const directoryQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'directories', id],
    queryFn: () => bodyOf(api.GET('/v1/directories/{id}', { params: { header: inCompany(company), path: { id } } })),
  });

/** The current version, for changes of whole lists. */
export async function readDirectory(company: string, id: string) {
  const params = { header: inCompany(company), path: { id } };
  const { data, response } = await api.GET('/v1/directories/{id}', { params });
  return { directory: data!, etag: response.headers.get('etag') };
}

const pageParams = (company: string, id: string, limit: number) => ({
  params: { header: inCompany(company), path: { id }, query: { limit } },
});

export const groupsQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'directories', id, 'groups'],
    queryFn: () => bodyOf(api.GET('/v1/directories/{id}/groups', pageParams(company, id, maxGroups))),
  });

export const syncsQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'directories', id, 'syncs'],
    queryFn: () => bodyOf(api.GET('/v1/directories/{id}/syncs', pageParams(company, id, pageSize))),
  });

export const errorsQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'directories', id, 'errors'],
    queryFn: () => bodyOf(api.GET('/v1/directories/{id}/errors', pageParams(company, id, pageSize))),
  });

export function createDirectory(company: string, body: Schemas['DirectoryCreate']): Promise<DirectoryWithToken> {
  return bodyOf(api.POST('/v1/directories', { params: { header: withIdempotencyKey(company) }, body }));
}

/** @throws ApiError 412 when the directory has changed since `etag` */
export function changeDirectory(
  company: string,
  id: string,
  body: DirectoryChange,
  etag: string | null = null,
): Promise<Directory> {
  const params = { header: { ...withIdempotencyKey(company), ...ifMatch(etag) }, path: { id } };
  return bodyOf(api.PATCH('/v1/directories/{id}', { params, body }));
}

export const removeDirectory = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/directories/{id}', { params: { header: inCompany(company), path: { id } } }));

/** @param immediately revokes the previous token now, for example after a leak */
export function rotateToken(company: string, id: string, immediately: boolean): Promise<DirectoryWithToken> {
  const params = { header: withIdempotencyKey(company), path: { id } };
  return bodyOf(api.POST('/v1/directories/{id}/rotate-token', { params, body: { immediately } }));
}
