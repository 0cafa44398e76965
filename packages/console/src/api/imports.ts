/** Imports: a file of people is checked, its errors are reviewed, and valid rows are committed. */
import { queryOptions } from '@tanstack/react-query';
import { api, asForm, bodyOf, inCompany, type Schemas, withIdempotencyKey } from './client/client.ts';
import type { PersonItem } from './people.ts';

export type Import = Schemas['ImportJob'];
export type ImportStatus = Schemas['ImportStatus'];
export type ImportColumn = Schemas['ImportColumn'];
export type SuggestedField = Schemas['ImportSuggestedField'];
export type RowError = Schemas['ImportError'];
export type ImportField = Schemas['ImportMappingTarget'];
export type ImportQuestion = Schemas['ImportQuestion'];
export type ImportUndo = Schemas['ImportUndo'];
export type DateOrder = Schemas['ImportDateOrder'];
export type MatchBy = Schemas['ImportMatchBy'];

export interface ImportOptions {
  mode: Schemas['ImportMode'];
  match_by?: MatchBy;
  on_error: Schemas['ImportOnError'];
  empty_cells: Schemas['ImportEmptyCells'];
  send_invitations: boolean;
  sheet?: string;
  encoding?: string;
  date_order?: DateOrder;
  decimal?: Schemas['ImportDecimal'];
  name_order?: Schemas['ImportNameOrder'];
  garbled_text?: Schemas['ImportGarbledText'];
  /** Field by column header; null ignores the column. */
  mapping: Record<string, ImportField | null>;
}

export interface ImportFilters {
  status?: ImportStatus;
}

interface Page<T> {
  data: T[];
  next: string | undefined;
}

const pageSize = 100;
const listPageSize = 25;
const underWay: readonly ImportStatus[] = ['queued', 'validating', 'processing'];

export function isUnderWay({ status }: Pick<Import, 'status'>): boolean {
  return underWay.includes(status);
}

/** Newest first. */
export async function importsPage(company: string, filters: ImportFilters, cursor?: string): Promise<Page<Import>> {
  const query = { ...filters, cursor, limit: listPageSize };
  const list = await bodyOf(api.GET('/v1/imports', { params: { header: inCompany(company), query } }));
  return { data: list.data, next: list.pagination.nextCursor ?? undefined };
}

/** Most files take a moment: polls quickly at first, then every second while the import runs. */
export const importQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'imports', id],
    queryFn: () => bodyOf(api.GET('/v1/imports/{id}', { params: { header: inCompany(company), path: { id } } })),
    refetchInterval: ({ state }) => {
      if (!state.data || !isUnderWay(state.data)) return false;
      return state.dataUpdateCount < 4 ? 300 : 1_000;
    },
  });

/** Sorted by row and column. */
export async function errorsPage(company: string, id: string, cursor?: string): Promise<Page<RowError>> {
  const params = { header: inCompany(company), path: { id }, query: { limit: pageSize, cursor } };
  const list = await bodyOf(api.GET('/v1/imports/{id}/errors', { params }));
  return { data: list.data, next: list.pagination.nextCursor ?? undefined };
}

/** Starts a dry run; writes nothing. */
export function checkFile(company: string, file: File, options: ImportOptions): Promise<Import> {
  const { mapping, send_invitations: sendInvitations, ...others } = options;
  const form = new FormData();
  for (const [name, value] of Object.entries(others)) if (value !== undefined) form.set(name, value);
  if (Object.keys(mapping).length > 0) form.set('mapping', JSON.stringify(mapping));
  if (sendInvitations) form.set('send_invitations', 'true');
  form.set('dry_run', 'true');
  form.set('file', file);
  return bodyOf(
    api.POST('/v1/collaborators/import', {
      params: { header: withIdempotencyKey(company) },
      body: form as never,
      ...asForm,
    }),
  );
}

export function commitImport(company: string, id: string): Promise<Import> {
  return bodyOf(api.POST('/v1/imports/{id}/commit', { params: { header: withIdempotencyKey(company), path: { id } } }));
}

/** @param answers keyed by question id */
export function answerImport(company: string, id: string, answers: Record<string, string>): Promise<Import> {
  const params = { header: withIdempotencyKey(company), path: { id } };
  return bodyOf(api.POST('/v1/imports/{id}/answers', { params, body: { answers } }));
}

export function cancelImport(company: string, id: string): Promise<Import> {
  return bodyOf(api.POST('/v1/imports/{id}/cancel', { params: { header: withIdempotencyKey(company), path: { id } } }));
}

export const undoQuery = (company: string, id: string) =>
  queryOptions({
    queryKey: [company, 'imports', id, 'undo'],
    queryFn: () => bodyOf(api.GET('/v1/imports/{id}/undo', { params: { header: inCompany(company), path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1_000 : false),
  });

export function undoImport(company: string, id: string): Promise<ImportUndo> {
  return bodyOf(api.POST('/v1/imports/{id}/undo', { params: { header: withIdempotencyKey(company), path: { id } } }));
}

export function importTemplate(company: string, format: 'xlsx' | 'csv'): Promise<Schemas['ImportTemplate']> {
  const params = { header: inCompany(company), query: { format } };
  return bodyOf(api.GET('/v1/collaborators/import-template', { params }));
}

interface Written {
  added: PersonItem[];
  changed: PersonItem[];
}

/** The first people created or updated while the import ran. */
export const writtenQuery = (
  company: string,
  { id, created_at: createdAt, committed_at: committedAt, completed_at: completedAt }: Import,
) =>
  queryOptions({
    queryKey: [company, 'imports', id, 'written'],
    queryFn: async (): Promise<Written> => {
      const since = committedAt ?? createdAt;
      const query = { updated_since: since, sort: 'name', limit: pageSize };
      const { data } = await bodyOf(api.GET('/v1/collaborators', { params: { header: inCompany(company), query } }));
      const isWithin = (moment = '') => moment >= since && (completedAt === null || moment <= completedAt);
      return {
        added: data.filter(({ created_at: at }) => isWithin(at)),
        changed: data.filter(({ created_at: at, updated_at: updatedAt }) => !isWithin(at) && isWithin(updatedAt)),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
