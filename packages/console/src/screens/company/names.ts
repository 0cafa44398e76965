/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const consequenceNames = () => ({
  time_zone: t`Days start and end in another time zone, and so do last days of employment.`,
  'factor-on': t`A password alone isn't enough to sign in anymore. People without a second factor set one up at their next sign-in.`,
  'factor-off': t`A password is enough to sign in again.`,
  'step-up-on': t`People have to sign in again for salaries, exports with salaries, apps, roles and these rules if they haven't within 15 minutes.`,
  'step-up-off': t`Sensitive actions no longer need a recent sign-in.`,
  'age-shorter': t`People whose sign-in is older than that are signed out now, here and in apps. That may include you.`,
  'age-longer': t`People stay signed in for longer.`,
  'scopes-fewer': t`Apps of other companies lose the permissions that you removed, even where they were already granted.`,
  'assistants-less': t`Assistants that people connected lose all other access immediately.`,
  'assistants-more': t`Assistants get more of the permissions of the people who connected them.`,
  'directory-on': t`Everyone in the company sees the name, position, department, location, work email and photo of all active people.`,
  'directory-off': t`Employees see only themselves again, and managers only their teams.`,
  'scopes-more': t`Apps of other companies get more of the permissions that people grant them.`,
});

export const companyFieldLabels = () => ({
  name: t`Name`,
  time_zone: t`Time zone`,
  locale: t`Email language`,
  require_second_factor: t`Require a second factor for everyone`,
  step_up: t`Require a recent sign-in for sensitive actions`,
  session_max_age: t`Sign in again after`,
  allowed_scopes: t`Permissions for apps of other companies`,
  assistants: t`AI assistants may`,
  directory_visibility: t`People directory`,
});

export const assistantRightNames = () => ({
  none: t`do nothing`,
  read: t`read`,
  write: t`read and change`,
});

export const directoryVisibilityNames = () => ({
  none: t`off: people see what their role shows them`,
  basic: t`everyone sees the basics of all active people`,
});

export const fieldHints = () => ({
  name: t`Shown in emails and on pages.`,
  time_zone: t`Days start and end in this time zone, for example a last day of employment.`,
  locale: t`For people who haven't chosen one.`,
  require_second_factor: t`People without one set it up at their next sign-in. Sessions that used only a password continue for seven days.`,
  step_up: t`Other people's salaries, exports with salaries, and changes to salaries, apps, roles and these rules need a sign-in within the last 15 minutes.`,
  session_max_age: t`Sessions and the tokens that apps got from them end after this time.`,
  allowed_scopes: t`Doesn't apply to the company's own apps or to those of the operator.`,
  assistants: t`An assistant never gets more permissions than the person who connected it has and selected.`,
  directory_visibility: t`The basics are name, position, department, location, work email and photo, never more.`,
});

export const distributionTitles = () => ({
  department: t`People by department`,
  location: t`People by location`,
});

export const emptyDistributionTexts = () => ({
  department: t`No one has a department yet.`,
  location: t`No one has a location yet.`,
});
