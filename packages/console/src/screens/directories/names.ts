/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const onCreateNames = () => ({
  pending: t`Add them as pending. An admin invites them.`,
  invite: t`Invite them by email right away.`,
});

export const onDeleteNames = () => ({
  deactivate: t`Deactivate them. Their profile stays.`,
  delete: t`Delete them. They can be restored for 30 days.`,
});

export const matchNames = () => ({
  email: t`By external ID, then by email address.`,
  external_id: t`By external ID only.`,
});

export const onLocalChangeNames = () => ({
  refuse: t`Refuse the change. These fields are read-only here.`,
  allow: t`Allow the change, until the provider sends the person again.`,
});

export const operationNames = () => ({
  createUser: t`Add a person`,
  replaceUser: t`Change a person`,
  patchUser: t`Change a person`,
  deleteUser: t`Remove a person`,
  createGroup: t`Add a group`,
  replaceGroup: t`Change a group`,
  patchGroup: t`Change a group`,
  deleteGroup: t`Remove a group`,
});
