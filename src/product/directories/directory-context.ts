/** The context of a change by a directory: its row, its actor, and its mail. */
import type { Actor } from '../collaborators/write/change-collaborator.ts';
import type { Quotas } from '../companies/quotas.ts';
import type { Postage } from '../invitations/send-invitation.ts';
import type { DirectoryRow } from './directories.ts';

export interface DirectoryContext {
  directory: DirectoryRow;
  /** The directory's id in place of a user's. */
  actor: Actor;
  postage: Postage;
  quotas: Quotas;
}
