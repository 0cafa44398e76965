import { randomUUID } from 'node:crypto';
import { notifyAccessChanged } from '../../../src/platform/notify/listen.ts';
import type { TestApp } from '../app.ts';

/** Waits until the service applies all committed changes of access: a later notification arrives after theirs. */
export async function accessChangesApplied({ access, database }: TestApp): Promise<void> {
  const marker = randomUUID();
  const { promise: applied, resolve } = Promise.withResolvers<void>();
  // A gap clears all caches, which applies the changes too.
  access.subscribe({ onChange: ({ user_id: id }) => void (id === marker && resolve()), onGap: resolve });
  await notifyAccessChanged(database.db.global, { user_id: marker });
  await applied;
}
