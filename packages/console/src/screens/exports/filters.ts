/** Export URLs: list filters, and the options of a new export. */
import type {
  Delimiter,
  ExportChoice,
  ExportFilters,
  ExportFormat,
  ExportKind,
  ExportStatus,
  FileLanguage,
  GroupBy,
} from '../../api/exports.ts';
import { readListSearch } from '../people/filters.ts';

export const statuses: readonly ExportStatus[] = ['queued', 'processing', 'completed', 'failed'];
export const kinds: readonly ExportKind[] = ['list', 'group', 'individual', 'personal_data'];
export const formats: readonly ExportFormat[] = ['xlsx', 'csv', 'json'];
export const fileLanguages: readonly FileLanguage[] = ['en', 'pt', 'es'];
export const delimiters: readonly Delimiter[] = ['comma', 'semicolon'];
export const groups: readonly GroupBy[] = ['department', 'location', 'position', 'status', 'role', 'manager'];

export function readExportFilters({ status }: Record<string, unknown>): ExportFilters {
  return statuses.includes(status as ExportStatus) ? { status: status as ExportStatus } : {};
}

export function readExportChoice(search: Record<string, unknown>): ExportChoice {
  const { kind, format, group_by: groupBy, person, language, delimiter, fields } = search;
  return {
    ...readListSearch(search),
    ...(kinds.includes(kind as ExportKind) && { kind: kind as ExportKind }),
    ...(formats.includes(format as ExportFormat) && { format: format as ExportFormat }),
    ...(groups.includes(groupBy as GroupBy) && { group_by: groupBy as GroupBy }),
    ...(fileLanguages.includes(language as FileLanguage) && { language: language as FileLanguage }),
    ...(delimiters.includes(delimiter as Delimiter) && { delimiter: delimiter as Delimiter }),
    ...(typeof person === 'string' && person && { person }),
    ...(typeof fields === 'string' && fieldLists.test(fields) && { fields }),
  };
}

const fieldLists = /^[a-z][a-z0-9_.]*(,[a-z][a-z0-9_.]*)*$/;
