/** Identity providers for single sign-on. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, ifMatch, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';

export type SignInConnection = Schemas['SignInConnection'];

export type SignInConnectionChange = Schemas['SignInConnectionUpdate'];
type NewSignInConnection = Schemas['SignInConnectionCreate'];

/** As long before the end as admins get an email. */
const warningMs = 30 * 86_400_000;

/** When the last certificate of a SAML provider expires. */
function lastExpiryOf({ saml }: SignInConnection): string | undefined {
  return saml?.certificates
    .map(({ expires_at: expiresAt }) => expiresAt)
    .sort()
    .at(-1);
}

/** Whether people sign in with it, and its last certificate expires soon or has expired. */
export function isExpiring(connection: SignInConnection): boolean {
  const expiresAt = lastExpiryOf(connection);
  return connection.status === 'enabled' && expiresAt !== undefined && Date.parse(expiresAt) < Date.now() + warningMs;
}

/** Not paginated: a company has at most three. */
export const connectionsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'sign-in-connections'],
    queryFn: async () => {
      const params = { header: inCompany(company), query: { limit: 100 } };
      return (await bodyOf(api.GET('/v1/sign-in-connections', { params }))).data;
    },
  });

export const connectionQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'sign-in-connections', id],
    queryFn: () =>
      bodyOf(api.GET('/v1/sign-in-connections/{id}', { params: { header: inCompany(company), path: { id } } })),
  });

/** The current version, for changes of whole lists. */
export async function readConnection(company: string, id: string) {
  const params = { header: inCompany(company), path: { id } };
  const { data, response } = await api.GET('/v1/sign-in-connections/{id}', { params });
  return { connection: data!, etag: response.headers.get('etag') };
}

export function createConnection(company: string, body: NewSignInConnection): Promise<SignInConnection> {
  return bodyOf(api.POST('/v1/sign-in-connections', { params: { header: withIdempotencyKey(company) }, body }));
}

const change = (company: string, id: string) => ({ params: { header: withIdempotencyKey(company), path: { id } } });

/** @throws ApiError 412 when the connection has changed since `etag` */
export function changeConnection(
  company: string,
  id: string,
  body: SignInConnectionChange,
  etag: string | null = null,
): Promise<SignInConnection> {
  const params = { header: { ...withIdempotencyKey(company), ...ifMatch(etag) }, path: { id } };
  return bodyOf(api.PATCH('/v1/sign-in-connections/{id}', { params, body }));
}

export const removeConnection = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/sign-in-connections/{id}', { params: { header: inCompany(company), path: { id } } }));

export const checkDomains = (company: string, id: string) =>
  bodyOf(api.POST('/v1/sign-in-connections/{id}/verify-domains', change(company, id)));

export const createKey = (company: string, id: string) =>
  bodyOf(api.POST('/v1/sign-in-connections/{id}/rotate-key', change(company, id)));

export const startTest = (company: string, id: string) =>
  bodyOf(api.POST('/v1/sign-in-connections/{id}/test', change(company, id)));
