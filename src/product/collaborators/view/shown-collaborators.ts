/** Collaborators as a reader asked to see them. */
import { hash } from 'node:crypto';
import type { components } from '../../../../generated/api.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow, ListedRow } from '../../access/records.ts';
import { collaboratorEtag, collaboratorView, listedView, partialView, showCollaborator } from './collaborator-view.ts';
import { type ManagerRow, managersOf, managerView } from './shown-managers.ts';
import type { Wanted } from './wanted-fields.ts';

type Shown = components['schemas']['CollaboratorFields'];
type ListItem = components['schemas']['CollaboratorListItem'];
type Reader = Viewer & { tenant: Tenant };

/** @param rows of a page, of which at least the columns were read that are wanted */
export async function listedCollaborators(
  rows: readonly ListedRow[],
  wanted: Wanted,
  reader: Reader,
): Promise<ListItem[]> {
  if (!wanted.fields && !wanted.manager) return rows.map((row) => listedView(row, reader));
  const managerOf = wanted.manager ? await managersOf(reader.tenant, reader.member, rows) : undefined;
  return rows.map((row) =>
    row.deleted_at
      ? listedView(row, reader)
      : { ...fieldsOf(row, wanted, reader), ...shownManager(managerOf?.(row), reader) },
  );
}

/** One collaborator, with the entity tag of the whole: so that it can be sent with a change, whatever was shown. */
export async function readCollaborator(row: CollaboratorRow, wanted: Wanted, reader: Reader) {
  if (!wanted.fields && !wanted.manager) return showCollaborator(200, row, reader);
  const ETag = collaboratorEtag(row, reader);
  const body = fieldsOf(row, wanted, reader);
  if (!wanted.manager) return { status: 200 as const, headers: { ETag }, body };
  const manager = (await managersOf(reader.tenant, reader.member, [row]))(row);
  return {
    status: 200 as const,
    headers: { ETag: withManager(ETag, manager) },
    body: { ...body, ...shownManager(manager, reader) },
  };
}

function fieldsOf(row: ListedRow, { fields }: Wanted, reader: Reader): Shown {
  return fields ? partialView(row, fields, reader) : collaboratorView(row, reader);
}

function shownManager(manager: ManagerRow | null | undefined, reader: Reader): Pick<Shown, 'manager'> {
  return manager === undefined ? {} : { manager: managerView(manager, reader) };
}

/**
 * The manager changes without the collaborator, so the tag says how the manager is, behind a dot. `If-Match` looks at what is
 * before it: a change is one of the collaborator.
 */
function withManager(etag: string, manager: ManagerRow | null): string {
  return `${etag.slice(0, -1)}.${hash('sha1', JSON.stringify(manager), 'base64url')}"`;
}
