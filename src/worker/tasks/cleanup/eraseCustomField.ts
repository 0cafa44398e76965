import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import { type ErasureJob, eraseField } from '../../../product/custom-fields/delete-field.ts';

export function eraseCustomField(db: Database): Task {
  return (payload) => eraseField(db, payload as ErasureJob);
}
