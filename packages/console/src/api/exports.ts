/** Exports: files of people that the service makes, kept for a day, each for whoever asked for it. */
import { api, bodyOf, inCompany, once, type Schemas } from './client.ts';
import type { PeopleFilters } from './people.ts';

export type Export = Schemas['ExportJob'];
export type ExportStatus = Schemas['ExportStatus'];
export type ExportFormat = Schemas['ExportFormat'];
export type GroupBy = Schemas['ExportGroupBy'];
/** Of its headers, not of the console. */
export type FileLanguage = 'en' | 'pt' | 'es';
/** What stands between the cells of a CSV file. */
export type Delimiter = 'comma' | 'semicolon';
export type ExportKind = 'list' | 'group' | 'individual' | 'personal_data';

export interface ExportFilters {
  status?: ExportStatus;
}

/** What is to be in the file. */
export interface ExportChoice extends PeopleFilters {
  kind?: ExportKind;
  format?: ExportFormat;
  group_by?: GroupBy;
  /** Left out, that of the console. */
  language?: FileLanguage;
  /** Left out, the one of that language. */
  delimiter?: Delimiter;
  /** Whose record, for the kinds that are about one person. */
  person?: string;
}

const pageSize = 25;

export function isUnderWay({ status }: Pick<Export, 'status'>): boolean {
  return status === 'queued' || status === 'processing';
}

/** One's own, the newest first. */
export async function exportsPage(company: string, filters: ExportFilters, cursor?: string) {
  const query = { ...filters, cursor, limit: pageSize };
  const list = await bodyOf(api.GET('/v1/exports', { params: { header: inCompany(company), query } }));
  return { data: list.data, next: list.pagination.nextCursor ?? undefined };
}

/** Small ones are ready when this is over; the others are followed in the list. */
export async function makeExport(company: string, { kind = 'list', person = '', ...choice }: ExportChoice) {
  const { format = 'xlsx', group_by: groupBy, language, delimiter, ...filters } = choice;
  const form = { format, language, ...(format === 'csv' && { delimiter }) };
  const header = inCompany(company);
  if (kind === 'personal_data') {
    const params = { header: once(company), path: { id: person } };
    return bodyOf<unknown>(api.POST('/v1/collaborators/{id}/personal-data', { params }));
  }
  if (kind === 'individual') {
    const query = { collaborator_id: person, ...form };
    return bodyOf<unknown>(api.GET('/v1/collaborators/export/individual', { params: { header, query } }));
  }
  if (kind === 'group') {
    const { sort: _, ...narrowing } = filters; // within a sheet they are sorted by name
    const query = { ...narrowing, group_by: groupBy, language };
    return bodyOf<unknown>(api.GET('/v1/collaborators/export-excel/group', { params: { header, query } }));
  }
  return bodyOf<unknown>(
    api.GET('/v1/collaborators/export/list', { params: { header, query: { ...filters, ...form } } }),
  );
}

export const removeExport = (company: string, id: string) =>
  bodyOf(api.DELETE('/v1/exports/{id}', { params: { header: inCompany(company), path: { id } } }));
