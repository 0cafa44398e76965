/** The request for an export, as its row stores it, and the name of the file. */
import type { components, operations } from '../../../../generated/api.ts';
import { safeName } from '../../../platform/files/names.ts';
import type { Filters } from '../../collaborators/collaborator-filters.ts';

/** `zip`: an archive of files, in which only personal data come. */
export type ExportFormat = components['schemas']['ExportFormat'] | 'zip';
export type GroupBy = components['schemas']['ExportGroupBy'];
export type Sort = NonNullable<operations['exportList']['parameters']['query']>['sort'];

/** Deleted collaborators are never exported. */
export type ExportFilters = Omit<Filters, 'include_deleted'>;

/** The format of what is one table, or a few. */
type TableFormat = Exclude<ExportFormat, 'zip'>;

export type ExportRequest =
  | { kind: 'individual'; format: TableFormat; query: { collaborator_id: string } }
  | { kind: 'personal_data'; format: 'zip'; query: { collaborator_id: string } }
  | { kind: 'list'; format: TableFormat; query: { filters: ExportFilters; sort?: Sort } }
  | { kind: 'group'; format: 'xlsx'; query: { filters: ExportFilters; group_by: GroupBy } };

export const mediaTypes: Record<ExportFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  zip: 'application/zip',
};

/** `João Pedro Nogueira` as `joao-pedro-nogueira.json`; letters of other scripts stay. */
export function personFilename(name: string, format: ExportFormat): string {
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return safeName(`${plain || 'collaborator'}.${format}`);
}

export function listFilename(format: ExportFormat, now = new Date()): string {
  return `collaborators-${now.toISOString().slice(0, 10)}.${format}`;
}

export function groupFilename(groupBy: GroupBy): string {
  return `collaborators-by-${groupBy}.xlsx`;
}
