import type { Readable } from 'node:stream';
import type { Viewer } from '../../../identity/members/member.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import type { Storage } from '../../../platform/files/store/storage.ts';

export interface ContentInput {
  snapshot: TenantSnapshot;
  /** The requester, whose permissions limit the content. */
  viewer: Viewer;
  storage: Storage;
  wrote(people: number): void;
}

export interface Content {
  rows_total: number;
  content: Readable;
}
