/** People as a table, with the columns of the import template and the export-only ones. */
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { t } from '../../../contract/languages/text.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import type { SheetColumn } from '../../../platform/sheets/model/sheet.ts';
import type { Cell } from '../../../platform/sheets/model/types.ts';
import { columnHeaders } from '../../collaborators/column-headers.ts';
import { importColumns, readOnlyColumns } from '../../collaborators/fields/sheet-columns.ts';
import { collaboratorResponse } from '../../collaborators/responses/collaborator-response.ts';
import { type Field, isChosen } from '../../collaborators/responses/requested-fields.ts';
import { customColumns, customFieldHeader } from './custom-field-columns.ts';
import type { Person } from './exported-people.ts';
import { unreadableFields } from './readable-fields.ts';

type View = components['schemas']['Collaborator'];
type Key = (typeof importColumns)[number]['key'] | (typeof readOnlyColumns)[number]['key'];

interface PeopleTable {
  columns: SheetColumn[];
  cells(person: Person): Cell[];
}

/** @param fields the chosen ones; default: all */
export function peopleTable(viewer: Viewer, language: Language, fields?: ReadonlySet<Field>): PeopleTable {
  const missing = unreadableFields(viewer);
  const visibleColumns = [...importColumns, ...readOnlyColumns].filter(({ key }) => {
    const field = fieldOf(key);
    return !missing.includes(field) && isChosen(field, fields);
  });
  const custom = customColumns(viewer, language, fields);
  return {
    columns: [
      ...visibleColumns.map((column) => {
        return {
          header: columnHeaders[column.key].translate(language),
          kind: column.kind,
          ...('width' in column && { width: column.width }),
        };
      }),
      ...custom.map(({ column }) => column),
    ],
    cells(person) {
      const view = collaboratorResponse(person, viewer);
      const standardCells = visibleColumns.map(({ key }) => cellOf(view, person, key));
      return [...standardCells, ...custom.map(({ cell }) => cell(view.custom_fields))];
    },
  };
}

/** The header of the field's column; the name of a field that is gone. @param field as in the history */
export function fieldHeader(field: string, { member }: Viewer, language: Language): string {
  if (field === 'emergency_contact') return t`Emergency contact`.translate(language);
  if (field in columnHeaders) return columnHeaders[field as Key].translate(language);
  const active = member.fields?.active ?? [];
  const custom = active.find(({ path }) => path === field);
  return custom ? customFieldHeader(custom, active, language) : field;
}

function fieldOf(key: Key): Field {
  return (key.startsWith('manager_') ? 'manager_id' : key.split('.')[0]) as Field;
}

function cellOf(view: View, { manager_email: managerEmail, manager_name: managerName }: Person, key: Key): Cell {
  switch (key) {
    case 'manager_email':
      return managerEmail;
    case 'manager_name':
      return managerName;
    case 'emergency_contact.name':
      return view.emergency_contact?.name ?? null;
    case 'emergency_contact.phone':
      return view.emergency_contact?.phone ?? null;
    case 'emergency_contact.relationship':
      return view.emergency_contact?.relationship ?? null;
    default:
      return view[key] ?? null;
  }
}
