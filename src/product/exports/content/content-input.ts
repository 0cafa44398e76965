/** The input and the result of making an export's file. */
import type { Readable } from 'node:stream';
import type { Viewer } from '../../../identity/members/member.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import type { Storage } from '../../../platform/files/store/storage.ts';

export interface ContentInput {
  snapshot: TenantSnapshot;
  /** Who asked for it: the file has what they may read. */
  viewer: Viewer;
  /** Where their files are. */
  storage: Storage;
  /** Told of collaborators as they are written. */
  wrote(people: number): void;
}

export interface Content {
  /** Collaborators that will be written. */
  rows_total: number;
  content: Readable;
}
