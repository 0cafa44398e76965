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

/** One collaborator, with the entity tag of the full record, which `If-Match` accepts whatever fields were returned. */
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

/** The manager changes independently, so the tag adds their hash after a dot, which `If-Match` ignores. */
function withManager(etag: string, manager: ManagerRow | null): string {
  return `${etag.slice(0, -1)}.${hash('sha1', JSON.stringify(manager), 'base64url')}"`;
}
