/** A document as the API shows it. */
import type { Selectable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Documents } from '../../../generated/db.ts';
import type { FileLinks } from '../../platform/files/links.ts';

export const documentColumns = [
  'company_id',
  'id',
  'collaborator_id',
  'key',
  'name',
  'type',
  'media_type',
  'size',
  'description',
  'uploaded_by',
  'uploaded_at',
] as const satisfies (keyof Documents)[];

export type DocumentRow = Pick<Selectable<Documents>, (typeof documentColumns)[number]>;

const link_lifetime_s = 15 * 60;

/** What a browser shows by itself; links see to it that nothing harmful is shown. */
const shown = /^(application\/pdf|image\/)/;

export function documentView(row: DocumentRow, links: FileLinks): components['schemas']['Document'] {
  const { company_id, key, id, collaborator_id, name, type, media_type, size } = row;
  const disposition = shown.test(media_type) ? 'inline' : 'attachment';
  const file = { company_id, key: key!, filename: name, media_type, disposition } as const;
  return {
    id,
    collaborator_id,
    name,
    type,
    media_type,
    size,
    url: links.link({ ...file, expires_in_s: link_lifetime_s }),
    description: row.description,
    uploaded_by: row.uploaded_by,
    uploaded_at: row.uploaded_at,
  };
}

/** Relative to the server. */
export function documentLocation({ collaborator_id, id }: DocumentRow): string {
  return `/v1/collaborators/${collaborator_id}/documents/${id}`;
}
