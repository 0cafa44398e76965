/** Input and result of generating an export's file. */
import type { Readable } from 'node:stream';
import type { Viewer } from '../../../identity/members/member.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import type { Storage } from '../../../platform/files/store/storage.ts';

export interface ContentInput {
  snapshot: TenantSnapshot;
  /** The requester, whose permissions limit the content. */
  viewer: Viewer;
  /** The storage of documents and photos. */
  storage: Storage;
  /** Reports written collaborators. */
  wrote(people: number): void;
}

export interface Content {
  /** Number of collaborators to write. */
  rows_total: number;
  content: Readable;
}
