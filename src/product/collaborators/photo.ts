/**
 * A collaborator's photo. The file is stored before the row references it, and removed afterwards, so a reference never dangles.
 */
import { Readable } from 'node:stream';
import { existsAlready, Problem } from '../../contract/problem.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { FilesContext } from '../../platform/files/context.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import { newKey } from '../../platform/files/store/storage.ts';
import type { PhotoDecoders } from '../../platform/photos/decoders.ts';
import { processPhoto } from '../../platform/photos/photo.ts';
import type { SentPhoto } from '../../platform/photos/photo-bytes.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { eventSubject } from './responses/collaborator-response.ts';
import { type Actor, changeCollaborator, lockCollaborator } from './write/change-collaborator.ts';
import { counted } from './write/collaborator-counts.ts';

interface PhotoContext {
  files: FilesContext;
  photos: PhotoDecoders;
  /** Whether to keep an existing photo (`If-None-Match: *`). */
  createOnly?: boolean;
}

/**
 * @param bytes JPEG, PNG, or WebP
 * @throws 400 `invalid_format` for its field, 404, 412, 503 if too many photos are waiting
 */
export async function setPhoto(
  tenant: Tenant,
  actor: Actor,
  id: string,
  { bytes, field }: SentPhoto,
  { files: { storage }, photos, createOnly = false }: PhotoContext,
): Promise<CollaboratorRow> {
  const picture = await processPhoto(photos, bytes, { company_id: tenant.company_id, field });
  const key = newKey(tenant.company_id, 'photos');
  await storage.put(key, Readable.from([picture]));
  try {
    return await change(tenant, actor, id, key, storage, createOnly);
  } catch (error) {
    if (error instanceof Problem) await discardObject(storage, key); // after other errors it may already be in use
    throw error;
  }
}

export async function removePhoto(
  tenant: Tenant,
  actor: Actor,
  id: string,
  { storage }: FilesContext,
): Promise<CollaboratorRow> {
  return change(tenant, actor, id, null, storage);
}

async function change(
  tenant: Tenant,
  actor: Actor,
  id: string,
  avatarKey: string | null,
  storage: FilesContext['storage'],
  createOnly = false,
): Promise<CollaboratorRow> {
  const { before, after } = await counted(tenant, async (tx) => {
    const before = await lockCollaborator(tx, id);
    if (createOnly && before.avatar_key) throw existsAlready();
    if (before.avatar_key === avatarKey) return { before, after: before };
    const after = await changeCollaborator(tx, actor, before, {
      set: { avatar_key: avatarKey },
      action: 'photo_updated',
      description: avatarKey ? 'Photo changed' : 'Photo removed',
      event: 'collaborator.photo_updated',
      payload: (row) => ({
        ...eventSubject(row),
        has_photo: avatarKey !== null,
        changed_by: actor.user_id,
        changed_at: row.updated_at,
      }),
    });
    return { before, after };
  });
  if (after !== before) await discardObject(storage, before.avatar_key);
  return after;
}
