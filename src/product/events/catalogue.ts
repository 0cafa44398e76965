/** The events of this service: name, class name in `data.event_type`, and payload. */
import type { webhooks } from '../../../generated/api.ts';

export type EventName = keyof webhooks;

type Data<N extends EventName> = webhooks[N]['post']['requestBody']['content']['application/json']['data'];

export type EventPayload<N extends EventName> = Data<N> extends { data: infer P } ? P : undefined;

export const eventClasses: { [N in EventName]: Data<N>['event_type'] } = {
  'collaborator.created': 'CollaboratorCreated',
  'collaborator.updated': 'CollaboratorUpdated',
  'collaborator.deleted': 'CollaboratorDeleted',
  'collaborator.restored': 'CollaboratorRestored',
  'collaborator.status_changed': 'CollaboratorStatusChanged',
  'collaborator.role_changed': 'CollaboratorRoleChanged',
  'collaborator.invited': 'CollaboratorInvited',
  'collaborator.invitation_accepted': 'CollaboratorInvitationAccepted',
  'collaborator.invitation_expired': 'CollaboratorInvitationExpired',
  'collaborator.termination_upcoming': 'CollaboratorTerminationUpcoming',
  'collaborator.photo_updated': 'CollaboratorPhotoUpdated',
  'collaborator.notifications_updated': 'CollaboratorNotificationsUpdated',
  'connection.ended': 'ConnectionEnded',
  'directory.created': 'DirectoryCreated',
  'directory.deleted': 'DirectoryDeleted',
  'directory.synced': 'DirectorySynced',
  'directory.failed': 'DirectoryFailed',
  'document.uploaded': 'DocumentUploaded',
  'document.deleted': 'DocumentDeleted',
  'import.completed': 'ImportCompleted',
  'import.failed': 'ImportFailed',
  'bulk.completed': 'BulkCompleted',
  'report.created': 'ReportCreated',
  'company.updated': 'CompanyUpdated',
  'custom_field.created': 'CustomFieldCreated',
  'custom_field.updated': 'CustomFieldUpdated',
  'custom_field.archived': 'CustomFieldArchived',
  'custom_field.deleted': 'CustomFieldDeleted',
  'webhook.test': 'WebhookTest',
  'webhook.deactivated': 'WebhookDeactivated',
};
