/** The company and its sign-in policy. */
import { queryOptions } from '@tanstack/react-query';
import { api, ifMatch, inCompany, type Schemas } from './client/client.ts';

export type Company = Schemas['Company'];
export type CompanyChange = Schemas['CompanyUpdate'];

export interface VersionedCompany {
  company: Company;
  etag: string | null;
}

const versioned = async (request: Promise<{ data?: Company; response: Response }>): Promise<VersionedCompany> => {
  const { data, response } = await request;
  return { company: data as Company, etag: response.headers.get('etag') };
};

export const companyQuery = (id: string) =>
  queryOptions({
    queryKey: [id, 'company'],
    queryFn: () => versioned(api.GET('/v1/company', { params: { header: inCompany(id) } })),
  });

/** @throws ApiError 412 when the company has changed since `etag` */
export function changeCompany(id: string, body: CompanyChange, etag: string | null): Promise<VersionedCompany> {
  const params = { header: { ...inCompany(id), ...ifMatch(etag) } };
  return versioned(api.PUT('/v1/company', { params, body }));
}
