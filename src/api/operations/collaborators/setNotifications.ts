import { updatePreferences } from '../../../product/collaborators/notifications.ts';
import type { Handler } from '../../handler.ts';

export const setNotifications: Handler<'setNotifications'> = async ({ body }, { tenant, caller, collaborator }) => {
  const preferences = await tenant.transaction((tx) => updatePreferences(tx, caller, collaborator.id, body));
  return { status: 200, body: preferences };
};
