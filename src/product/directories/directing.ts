/** A directory that does something. */
import type { Actor } from '../collaborators/write/change-collaborator.ts';
import type { Postage } from '../invitations/send-invitation.ts';
import type { DirectoryRow } from './directories.ts';

export interface Directing {
  directory: DirectoryRow;
  /** Its id stands where that of a user stands. */
  actor: Actor;
  postage: Postage;
}
