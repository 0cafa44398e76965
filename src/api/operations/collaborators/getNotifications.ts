import { notificationPreferences } from '../../../product/collaborators/notifications.ts';
import type { Handler } from '../../handler.ts';

export const getNotifications: Handler<'getNotifications'> = async (_request, { tenant, collaborator }) => {
  return { status: 200, body: await notificationPreferences(tenant, collaborator.id) };
};
