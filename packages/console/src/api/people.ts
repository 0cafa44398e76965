/** The company's people, and everything that belongs to a person. */
import { queryOptions } from '@tanstack/react-query';
import { api, asForm, bodyOf, ifMatch, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';

export type Person = Schemas['Collaborator'];
export type PersonItem = Schemas['CollaboratorListItem'];
export type PersonChange = Schemas['CollaboratorUpdate'];
export type NewPerson = Schemas['CollaboratorCreate'];
export type DeletedPerson = Schemas['DeletedCollaborator'];
export type BulkItem = Schemas['BulkItem'];
export type BulkResult = Schemas['BulkResult'];
export type Colleague = Schemas['Colleague'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type Document = Schemas['Document'];
export type DocumentType = Schemas['DocumentType'];
export type Preferences = Schemas['NotificationPreferences'];

/** Conditions on custom fields by key: a value, or a range of dates or numbers. */
export type CustomConditions = Record<string, string | { gte?: string; lte?: string }>;

export interface PeopleFilters {
  search?: string;
  status?: Schemas['CollaboratorStatus'];
  role?: Schemas['Role'];
  department?: string;
  location?: string;
  custom_fields?: CustomConditions;
  sort?: string;
}

interface PeoplePage {
  data: PersonItem[];
  next: string | undefined;
  total: number | undefined;
}

const pageSize = 100;

export async function peoplePage(
  company: string,
  filters: PeopleFilters,
  cursor?: string,
  limit = pageSize,
): Promise<PeoplePage> {
  const query = { ...filters, cursor, limit, expand: 'manager,reports_count' };
  const list = await bodyOf(api.GET('/v1/collaborators', { params: { header: inCompany(company), query } }));
  return { data: list.data, next: list.pagination?.nextCursor ?? undefined, total: list.pagination?.total };
}

export type ColleagueFilters = Pick<PeopleFilters, 'search' | 'department' | 'location'>;

export async function colleaguesPage(company: string, filters: ColleagueFilters, cursor?: string, limit = pageSize) {
  const query = { ...filters, cursor, limit };
  const { data, pagination } = await bodyOf(
    api.GET('/v1/colleagues', { params: { header: inCompany(company), query } }),
  );
  return { data, next: pagination.nextCursor ?? undefined, total: pagination.total };
}

/** People who can be restored, last deleted first. */
export async function deletedPage(company: string, search?: string, cursor?: string) {
  const params = { header: inCompany(company), query: { search, limit: pageSize, cursor } };
  const { data, pagination } = await bodyOf(api.GET('/v1/deleted-collaborators', { params }));
  return { data, next: pagination.nextCursor ?? undefined, total: pagination.total };
}

/** The contract's limit of a bulk request. */
export const bulkLimit = 1_000;

/** A selected person: enough to name them, and to know whether they can be invited. */
export type SelectedPerson = Pick<PersonItem, 'id' | 'name' | 'status'>;

/** All matches, up to the limit of a bulk request. */
export async function findAllPeople(
  company: string,
  { sort: _, ...filters }: PeopleFilters,
): Promise<SelectedPerson[]> {
  const found: SelectedPerson[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...filters, cursor, limit: pageSize, fields: 'name,status' };
    const list = await bodyOf(api.GET('/v1/collaborators', { params: { header: inCompany(company), query } }));
    found.push(...(list.data as SelectedPerson[]));
    cursor = list.pagination?.nextCursor ?? undefined;
  } while (cursor && found.length < bulkLimit);
  return found.slice(0, bulkLimit);
}

/** @param items at most `bulkLimit`. @param isDryRun dry run */
export function bulkUpdate(company: string, items: BulkItem[], isDryRun: boolean): Promise<BulkResult> {
  const body = { mode: 'update', match_by: 'id', dry_run: isDryRun, items } as const;
  return bodyOf(api.POST('/v1/collaborators/bulk', { params: { header: withIdempotencyKey(company) }, body }));
}

/**
 * Fails with `insufficient_user_authentication` when a recent sign-in would reveal the field, so it is requested by name only
 * then.
 * @param field such as `salary`, or `custom_fields.bank_account`
 */
export const hiddenFieldQuery = (company: string, field: string) =>
  queryOptions({
    queryKey: [company, 'people', 'hidden', field],
    queryFn: async () => {
      const query = { fields: field, limit: 1 };
      await api.GET('/v1/collaborators', { params: { header: inCompany(company), query } });
      return true;
    },
    staleTime: 60_000,
  });

/** Values to read of a field; beyond that, a list is too long to choose from. */
const maxPages = 5;

/** The values of a field, with the number of people for each. */
export const valuesQuery = (company: string, fieldName: 'department' | 'location' | 'position') =>
  queryOptions({
    queryKey: [company, 'people', 'values', fieldName],
    queryFn: async () => {
      const values: Schemas['FieldValue'][] = [];
      let cursor: string | undefined;
      for (let pageIndex = 0; pageIndex < maxPages; pageIndex++) {
        const query = { limit: pageSize, cursor };
        const params = { header: inCompany(company), path: { field_name: fieldName }, query };
        const page = await bodyOf(api.GET('/v1/field-values/{field_name}', { params }));
        values.push(...page.data);
        cursor = page.pagination.nextCursor ?? undefined;
        if (!cursor) break;
      }
      return values;
    },
    staleTime: 60_000,
  });

export interface VersionedPerson {
  person: Person;
  etag: string | null;
}

/** Without `fields`, a response has all fields; the contract's type can't express that. */
const versioned = async (
  request: Promise<{ data?: Partial<Person>; response: Response }>,
): Promise<VersionedPerson> => {
  const { data, response } = await request;
  return { person: data as Person, etag: response.headers.get('etag') };
};

export const personQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'people', id],
    queryFn: () =>
      versioned(api.GET('/v1/collaborators/{id}', { params: { header: inCompany(company), path: { id } } })),
  });

/** @throws ApiError 412 when the record has changed since `etag` */
export function changePerson(
  company: string,
  id: string,
  body: PersonChange,
  etag: string | null,
): Promise<VersionedPerson> {
  const params = { header: { ...withIdempotencyKey(company), ...ifMatch(etag) }, path: { id } };
  return versioned(api.PATCH('/v1/collaborators/{id}', { params, body }));
}

export function addPerson(company: string, body: NewPerson): Promise<Person> {
  return bodyOf(api.POST('/v1/collaborators', { params: { header: withIdempotencyKey(company) }, body }));
}

export const statusQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'people', id, 'status'],
    queryFn: () =>
      bodyOf(api.GET('/v1/collaborators/{id}/status', { params: { header: inCompany(company), path: { id } } })),
  });

export async function historyPage(company: string, id: string, cursor?: string) {
  const params = { header: inCompany(company), path: { id }, query: { limit: 50, cursor } };
  const { data, pagination } = await bodyOf(api.GET('/v1/collaborators/{id}/history', { params }));
  return { data, next: pagination.nextCursor ?? undefined };
}

export async function documentsPage(company: string, id: string, cursor?: string) {
  const params = { header: inCompany(company), path: { id }, query: { limit: pageSize, cursor } };
  const { data, pagination } = await bodyOf(api.GET('/v1/collaborators/{id}/documents', { params }));
  return { data, next: pagination.nextCursor ?? undefined };
}

export const preferencesQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'people', id, 'notifications'],
    queryFn: () =>
      bodyOf(api.GET('/v1/collaborators/{id}/notifications', { params: { header: inCompany(company), path: { id } } })),
  });

const forPerson = (company: string, id: string) => ({ header: withIdempotencyKey(company), path: { id } });

export const invite = (company: string, id: string, isResend: boolean) => {
  const params = forPerson(company, id);
  return bodyOf(
    isResend
      ? api.POST('/v1/collaborators/{id}/resend-invitation', { params })
      : api.POST('/v1/collaborators/{id}/send-invitation', { params }),
  );
};

export const setActive = (company: string, id: string, active: boolean, reason: string) => {
  const params = forPerson(company, id);
  const body = { reason: reason.trim() || null };
  return bodyOf(
    active
      ? api.POST('/v1/collaborators/{id}/activate', { params, body })
      : api.POST('/v1/collaborators/{id}/deactivate', { params, body }),
  );
};

export const assignRole = (company: string, id: string, role: Person['role']) =>
  bodyOf(api.POST('/v1/collaborators/{id}/role', { params: forPerson(company, id), body: { role } }));

export const removePerson = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/collaborators/{id}', { params: { header: inCompany(company), path: { id } } }));

/** @throws ApiError 404 for an unknown person, or one deleted more than 30 days ago */
export const restorePerson = (company: string, id: string) =>
  bodyOf(api.POST('/v1/collaborators/{id}/restore', { params: forPerson(company, id) }));

export const setPreferences = (company: string, id: string, body: Schemas['NotificationPreferencesUpdate']) =>
  bodyOf(
    api.PUT('/v1/collaborators/{id}/notifications', { params: { header: inCompany(company), path: { id } }, body }),
  );

export function uploadDocument(company: string, id: string, file: File, type: DocumentType): Promise<Document> {
  const form = new FormData();
  form.set('type', type);
  form.set('file', file);
  const params = forPerson(company, id);
  return bodyOf(api.POST('/v1/collaborators/{id}/documents', { params, body: form as never, ...asForm }));
}

export const removeDocument = (company: string, id: string, documentId: string) => {
  const params = { header: inCompany(company), path: { id, document_id: documentId } };
  return bodyOf(api.DELETE('/v1/collaborators/{id}/documents/{document_id}', { params }));
};

export function setPhoto(company: string, id: string, file: File) {
  const form = new FormData();
  form.set('file', file);
  const params = { header: inCompany(company), path: { id } };
  return bodyOf(api.PUT('/v1/collaborators/{id}/photo', { params, body: form as never, ...asForm }));
}

export const removePhoto = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/collaborators/{id}/photo', { params: { header: inCompany(company), path: { id } } }));
