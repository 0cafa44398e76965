/** The company's custom fields. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, ifMatch, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';

export type CustomField = Schemas['CustomField'];
export type NewCustomField = Schemas['CustomFieldCreate'];
export type CustomFieldChange = Schemas['CustomFieldUpdate'];

const pageSize = 100;

/** All active fields that the reader can see, in order; a company has at most 100. */
export const customFieldsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'custom-fields'],
    queryFn: async () => {
      const params = { header: inCompany(company), query: { limit: pageSize } };
      return (await bodyOf(api.GET('/v1/custom-fields', { params }))).data;
    },
    staleTime: 60_000,
  });

/** For admins: includes archived fields, and fields being deleted, which are polled until they are gone. */
export const allFieldsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'custom-fields', 'all'],
    queryFn: async () => {
      const fields: CustomField[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: pageSize, cursor, include_archived: true };
        const page = await bodyOf(api.GET('/v1/custom-fields', { params: { header: inCompany(company), query } }));
        fields.push(...page.data);
        cursor = page.pagination.nextCursor ?? undefined;
      } while (cursor);
      return fields;
    },
    refetchInterval: ({ state }) => (state.data?.some(({ deletion }) => deletion !== null) ? 1_000 : false),
  });

export interface VersionedField {
  field: CustomField;
  etag: string | null;
}

const versioned = async (request: Promise<{ data?: CustomField; response: Response }>): Promise<VersionedField> => {
  const { data, response } = await request;
  return { field: data!, etag: response.headers.get('etag') };
};

export const fieldQuery = (company: string, key: string) =>
  queryOptions({
    queryKey: [company, 'custom-fields', 'one', key],
    queryFn: () =>
      versioned(api.GET('/v1/custom-fields/{key}', { params: { header: inCompany(company), path: { key } } })),
  });

export function createField(company: string, body: NewCustomField): Promise<CustomField> {
  return bodyOf(api.POST('/v1/custom-fields', { params: { header: withIdempotencyKey(company) }, body }));
}

/** @throws ApiError 412 when the field has changed since `etag` */
export function changeField(
  company: string,
  key: string,
  body: CustomFieldChange,
  etag: string | null = null,
): Promise<VersionedField> {
  const params = { header: { ...withIdempotencyKey(company), ...ifMatch(etag) }, path: { key } };
  return versioned(api.PATCH('/v1/custom-fields/{key}', { params, body }));
}

export const deleteField = (company: string, key: string, confirm: string) => {
  const params = { header: inCompany(company), path: { key }, query: { confirm } };
  return bodyOf(api.DELETE('/v1/custom-fields/{key}', { params }));
};
