/** A collaborator as its reader may see it: fields without access are removed, and named in `restricted_fields`. */
import type { components } from '../../../../generated/api.ts';
import type { CompanyFields } from '../../../identity/members/company-fields.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import type { FileLinks } from '../../../platform/files/links.ts';
import { entityTag } from '../../../platform/values/entity-tag.ts';
import { hiddenFields } from '../../access/hidden-fields.ts';
import { type CollaboratorRow, type ListedRow, type VisibleRow, visibleColumns } from '../../access/records.ts';
import { publicValues, visibleFields } from '../../custom-fields/visible-values.ts';
import { managedBy } from '../fields/managed-fields.ts';
import type { Field } from './requested-fields.ts';

type Collaborator = components['schemas']['Collaborator'];
type CollaboratorFields = components['schemas']['CollaboratorFields'];
type ListItem = components['schemas']['CollaboratorListItem'];
type CollaboratorEvent = components['schemas']['CollaboratorEvent'];

const avatarLifetimeS = 24 * 60 * 60;

/** Omits fields hidden from this caller and names them in `restricted_fields`. */
export function collaboratorResponse(row: VisibleRow, viewer: Viewer): Collaborator {
  const { tenant, files } = viewer;
  return fieldsFor(viewer, row, row.avatar_key && avatarLink(files.links, tenant.company_id, row.avatar_key));
}

function fieldsFor(viewer: Viewer, row: VisibleRow, avatarUrl: string | null): Collaborator {
  const hidden = hiddenFields(viewer, row.id);
  const view: Collaborator = {
    ...publicFields(row, visibleFields(viewer, row.id, row.custom_fields, hidden)),
    salary: row.salary === null ? null : Number(row.salary),
    avatar_url: avatarUrl,
    emergency_contact: emergencyContact(row),
    managed_by: managedBy(row, viewer.member.directories),
  };
  return hidden.length === 0 ? view : without(view, hidden);
}

/** Copies the object: V8 makes objects slow after `delete`, which made pages four times as expensive. */
function without(view: Collaborator, hidden: string[]): Collaborator {
  const visible: Record<string, unknown> = {};
  for (const field in view) if (!hidden.includes(field)) visible[field] = view[field as keyof Collaborator];
  visible.restricted_fields = hidden;
  return visible as unknown as Collaborator;
}

/** In a list, a deleted person shows only id and time. */
export function listedResponse(row: ListedRow, viewer: Viewer): ListItem {
  return row.deleted_at ? { id: row.id, deleted_at: row.deleted_at } : collaboratorResponse(row, viewer);
}

export function partialResponse(
  row: Partial<VisibleRow>,
  fields: ReadonlySet<Field>,
  viewer: Viewer,
): CollaboratorFields {
  const { restricted_fields: restrictedFields, ...view } = collaboratorResponse({ ...emptyRow, ...row }, viewer);
  const visible = Object.fromEntries(Object.entries(view).filter(([name]) => fields.has(name as Field)));
  const isWhole = fields.has('custom_fields');
  const chosen = Object.entries(view.custom_fields).filter(([key]) => fields.has(`custom_fields.${key}`));
  if (chosen.length > 0 && !isWhole) visible.custom_fields = Object.fromEntries(chosen);
  const restricted = restrictedFields?.filter((name) => {
    return fields.has(name as Field) || (isWhole && name.startsWith('custom_fields.'));
  });
  return { id: view.id, ...visible, ...(restricted?.length && { restricted_fields: restricted }) };
}

const emptyRow = Object.fromEntries(visibleColumns.map((column) => [column, null])) as unknown as VisibleRow;

/** The event payload: only fields that everyone may see. */
export function collaboratorEvent(row: CollaboratorRow, fields: CompanyFields): CollaboratorEvent {
  return publicFields(row, publicValues(fields, row.custom_fields));
}

export function eventSubject(row: CollaboratorRow) {
  return { collaborator_id: row.id, name: row.name, email: row.email };
}

/** A strong validator of what this caller sees (RFC 9110, section 8.8.3). It covers the photo's key, because its link changes. */
export function collaboratorEtag(row: CollaboratorRow, viewer: Viewer): string {
  return entityTag(fieldsFor(viewer, row, row.avatar_key));
}

export function renderCollaborator<S extends number>(status: S, row: CollaboratorRow, viewer: Viewer) {
  const body = collaboratorResponse(row, viewer);
  const ETag = row.avatar_key ? collaboratorEtag(row, viewer) : entityTag(body);
  return { status, headers: { ETag }, body };
}

export function avatarLink(links: FileLinks, companyId: string, key: string): string {
  const file = {
    company_id: companyId,
    key,
    filename: 'photo.webp',
    media_type: 'image/webp',
    disposition: 'inline',
  } as const;
  return links.link({ ...file, expiresInS: avatarLifetimeS });
}

function emergencyContact({ emergency_contact: emergencyContact }: VisibleRow): Collaborator['emergency_contact'] {
  if (!emergencyContact) return null;
  const { name = null, phone = null, relationship = null } = emergencyContact as Record<string, string | null>;
  return { name, phone, relationship };
}

function publicFields(row: VisibleRow, values: Collaborator['custom_fields']) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    position: row.position,
    department: row.department,
    status: row.status as Collaborator['status'],
    role: row.role as Collaborator['role'],
    hire_date: row.hire_date,
    termination_date: row.termination_date,
    manager_id: row.manager_id,
    work_schedule: row.work_schedule,
    location: row.location,
    external_id: row.external_id,
    employee_number: row.employee_number,
    custom_fields: values,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
