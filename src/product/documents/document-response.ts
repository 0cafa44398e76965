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

const linkLifetimeS = 15 * 60;

/** Types that browsers display inline; file links prevent harmful content. */
const inlineTypes = /^(application\/pdf|image\/)/;

export function documentResponse(row: DocumentRow, links: FileLinks): components['schemas']['Document'] {
  const {
    company_id: companyId,
    key,
    id,
    collaborator_id: collaboratorId,
    name,
    type,
    media_type: mediaType,
    size,
  } = row;
  const disposition = inlineTypes.test(mediaType) ? 'inline' : 'attachment';
  const file = { company_id: companyId, key: key!, filename: name, media_type: mediaType, disposition } as const;
  return {
    id,
    collaborator_id: collaboratorId,
    name,
    type,
    media_type: mediaType,
    size,
    url: links.link({ ...file, expiresInS: linkLifetimeS }),
    description: row.description,
    uploaded_by: row.uploaded_by,
    uploaded_at: row.uploaded_at,
  };
}

export function documentLocation({ collaborator_id: collaboratorId, id }: DocumentRow): string {
  return `/v1/collaborators/${collaboratorId}/documents/${id}`;
}
