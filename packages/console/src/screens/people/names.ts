/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const channelNames = () => ({
  email: t`email`,
  push: t`mobile app`,
  sms: t`text message`,
});

export const personStatusNames = () => ({
  active: t`active`,
  pending: t`pending`,
  inactive: t`inactive`,
});

export const documentTypeNames = () => ({
  contract: t`Contract`,
  identification: t`Identification`,
  certificate: t`Certificate`,
  medical: t`Medical`,
  tax: t`Tax`,
  policy: t`Policy`,
  payslip: t`Payslip`,
  other: t`Other`,
});

export const historyActionNames = () => ({
  created: t`Added`,
  updated: t`Changed`,
  status_changed: t`Status changed`,
  role_changed: t`Role changed`,
  invited: t`Invited`,
  invitation_accepted: t`Invitation accepted`,
  invitation_expired: t`Invitation expired`,
  termination_held: t`Last day put on hold`,
  notifications_updated: t`Notifications changed`,
  photo_updated: t`Photo changed`,
  document_uploaded: t`Document added`,
  document_deleted: t`Document removed`,
  deleted: t`Deleted`,
  restored: t`Restored`,
});

export const roleHints = () => ({
  admin: t`Can see and change everything in the company.`,
  manager: t`Can see their team and change parts of it.`,
  employee: t`Can see their own record and change parts of it.`,
});

export const contactFieldNames = () => ({
  contact_name: t`Contact's name`,
  contact_phone: t`Contact's phone`,
  contact_relationship: t`Relationship`,
});
