/** The request for an export, as its row stores it, and the name of the file. */
import type { components, operations } from '../../../../generated/api.ts';
import { safeName } from '../../../platform/files/names.ts';
import type { Filters } from '../../collaborators/collaborator-list.ts';

export type ExportFormat = components['schemas']['ExportFormat'];
export type GroupBy = components['schemas']['ExportGroupBy'];
export type Sort = NonNullable<operations['exportList']['parameters']['query']>['sort'];

/** Deleted collaborators are never exported. */
export type ExportFilters = Omit<Filters, 'include_deleted'>;

export type ExportRequest =
  | { kind: 'individual'; format: ExportFormat; query: { collaborator_id: string } }
  | { kind: 'list'; format: ExportFormat; query: { filters: ExportFilters; sort?: Sort } }
  | { kind: 'group'; format: 'xlsx'; query: { filters: ExportFilters; group_by: GroupBy } };

export const media_types: Record<ExportFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
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

export function groupFilename(group_by: GroupBy): string {
  return `collaborators-by-${group_by}.xlsx`;
}
