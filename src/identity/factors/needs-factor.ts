/** Whether a password alone signs somebody in. */
import type { Database } from '../../platform/db/client.ts';
import { hasFactor } from './factors.ts';

/** Whether somebody has to sign in with two factors: who has a second one does. */
export async function needsFactor(db: Database, user_id: string): Promise<boolean> {
  return hasFactor(db.global, user_id);
}
