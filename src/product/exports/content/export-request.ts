/** The request for an export, as its row stores it, and its file name. */
import type { components, operations } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import { safeName } from '../../../platform/files/inspect/names.ts';
import type { Delimiter } from '../../collaborators/csv-delimiter.ts';
import type { Filters } from '../../collaborators/list/collaborator-filters.ts';
import type { Field } from '../../collaborators/responses/requested-fields.ts';
import { roleNames, statusNames } from './value-names.ts';

/** `zip`: an archive of files, only for personal data. */
export type ExportFormat = components['schemas']['ExportFormat'] | 'zip';
export type GroupBy = components['schemas']['ExportGroupBy'];
type Sort = NonNullable<operations['exportList']['parameters']['query']>['sort'];

/** Deleted collaborators are never exported. */
export type ExportFilters = Omit<Filters, 'include_deleted'>;

type TableFormat = Exclude<ExportFormat, 'zip'>;

/** Localization of the file. Missing in exports stored before it existed, which are in English. */
export interface ExportForm {
  language?: Language;
  delimiter?: Delimiter | undefined;
}

interface ListQuery extends ExportForm {
  filters: ExportFilters;
  sort?: Sort;
  /** The chosen fields. Default: all. */
  fields?: readonly Field[];
}

export type ExportRequest =
  | { kind: 'individual'; format: TableFormat; query: ExportForm & { collaborator_id: string } }
  | { kind: 'personal_data'; format: 'zip'; query: { collaborator_id: string } }
  | { kind: 'list'; format: TableFormat; query: ListQuery }
  | { kind: 'group'; format: 'xlsx'; query: ExportForm & { filters: ExportFilters; group_by: GroupBy } };

export const mediaTypes: Record<ExportFormat, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  zip: 'application/zip',
};

/** `João Pedro Nogueira` as `joao-pedro-nogueira.json`; letters of other scripts stay. */
export function personFilename(name: string, format: ExportFormat): string {
  return safeName(`${slug(name) || 'collaborator'}.${format}`);
}

export const listTitle: Text = t`Collaborators`;

/** Includes the filters, if their values fit in a file name. */
export function listFilename({
  format,
  query: { filters, language = 'en' },
}: Extract<ExportRequest, { kind: 'list' }>): string {
  const today = new Date().toISOString().slice(0, 10);
  const parts = [listTitle.translate(language), ...filterWords(filters, language), today];
  return safeName(`${slug(parts.join(' '))}.${format}`);
}

export const groupTitles: Readonly<Record<GroupBy, Text>> = {
  department: t`Collaborators by department`,
  location: t`Collaborators by location`,
  position: t`Collaborators by position`,
  status: t`Collaborators by status`,
  role: t`Collaborators by role`,
  manager: t`Collaborators by manager`,
};

export function groupFilename({ filters, group_by: groupBy, language = 'en' }: GroupQuery): string {
  const parts = [groupTitles[groupBy].translate(language), ...filterWords(filters, language)];
  return safeName(`${slug(parts.join(' '))}.xlsx`);
}

type GroupQuery = Extract<ExportRequest, { kind: 'group' }>['query'];

function filterWords({ status, role, department, location }: ExportFilters, language: Language): string[] {
  const names = [status && statusNames[status].translate(language), role && roleNames[role].translate(language)];
  return [...names, department, location].filter((word) => word !== undefined);
}

function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}
