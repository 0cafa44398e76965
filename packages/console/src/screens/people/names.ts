/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { day } from '../../parts/format.ts';
import { named, t } from '../../parts/translate.ts';

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

/** The reason for a status. The service gives its own reasons, for changes that no person made, in English. */
export function reasonText(reason: string): string {
  const [, lastDay] = /^The last day of employment was (\d{4}-\d\d-\d\d)\.$/.exec(reason) ?? [];
  return lastDay ? t`The last day of employment was ${day(lastDay)}.` : named(automaticReasons, reason);
}

const automaticReasons = () => ({
  'They left the company, on the page of their account': t`They left the company, on the page of their account`,
  'Deactivated by the directory': t`Deactivated by the directory`,
  'Removed from the directory': t`Removed from the directory`,
  'According to the imported file, this person has left.': t`According to the imported file, this person has left.`,
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
