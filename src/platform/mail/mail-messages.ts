/** The text of each mail. */
import { sentences, type Text, t, tn } from '../../contract/languages/text.ts';
import type { Mail, MailTemplates } from './mail-queue.ts';

export interface MailMessages {
  subject: Text;
  heading: Text;
  /** Default: the heading is the greeting. */
  greeting?: Text;
  news: Text[];
  link?: {
    label: Text;
    /** A URL, or a path below the service's own. */
    href: string;
    /** How often and how long it works; omitted for pages that only need a sign-in. */
    limits?: Text;
    /** Shown for programs that don't display the button. */
    otherwise: Text;
  };
  /** For unintended recipients. */
  closing: Text;
}

type Writer<T extends keyof MailTemplates> = (values: MailTemplates[T]) => MailMessages;

const otherwise = t`If the button does not work, open this address:`;
const contactAdministrator = t`If it was not you, tell your administrator immediately.`;

const writers: { [T in keyof MailTemplates]: Writer<T> } = {
  invitation: ({ name, company, link, daysValid }) => ({
    subject: t`${company} invited you`,
    heading: t`Welcome, ${name}`,
    news: [t`${company} has added you to its team and invites you to sign in.`],
    link: { label: t`Accept the invitation`, href: link, limits: worksForDays(daysValid), otherwise },
    closing: t`If you did not expect this, you can ignore this email.`,
  }),
  password_reset: ({ name, link, minutesValid }) => ({
    subject: t`Choose a new password`,
    heading: t`Choose a new password`,
    greeting: hello(name),
    news: [t`Someone requested a new password for your account.`],
    link: { label: t`Choose a password`, href: link, limits: worksForMinutes(minutesValid), otherwise },
    closing: t`If it was not you, ignore this email: your password does not change.`,
  }),
  password_changed: ({ name }) => ({
    subject: t`Your password was changed`,
    heading: t`Your password was changed`,
    greeting: hello(name),
    news: [t`The password of your account was changed just now, and all apps were signed out.`],
    closing: t`If it was not you, choose a new one immediately with “Forgot your password?” on the sign-in page, and tell your administrator.`,
  }),
  new_device: ({ name, device, address, time }) => ({
    subject: t`A new device signed in to your account`,
    heading: t`Was it you?`,
    greeting: hello(name),
    news: [
      device
        ? t`Someone signed in to your account on a new device: ${device}, from ${address}, on ${time}.`
        : t`Someone signed in to your account on a new device, from ${address}, on ${time}.`,
      t`If it was you, you don’t need to do anything.`,
    ],
    closing: t`If it was not you, choose a new password immediately with “Forgot your password?” on the sign-in page, and tell your administrator.`,
  }),
  confirm_address: ({ name, company, link, daysValid }) => ({
    subject: t`Confirm your new address`,
    heading: t`Sign in with this address?`,
    greeting: hello(name),
    news: [
      t`${company} changed your address to this one. Until you confirm it, keep signing in with your previous address.`,
    ],
    link: {
      label: t`Confirm the address`,
      href: link,
      limits: sentences(t`You will need your password.`, worksForDays(daysValid)),
      otherwise,
    },
    closing: t`If you did not expect this, ignore this email: nothing changes.`,
  }),
  confirm_own_address: ({ name, link, daysValid }) => ({
    subject: t`Confirm your new address`,
    heading: t`Sign in with this address?`,
    greeting: hello(name),
    news: [
      t`You asked to sign in with this address from now on. Until you confirm it, keep signing in with your previous address.`,
    ],
    link: {
      label: t`Confirm the address`,
      href: link,
      limits: sentences(t`You will need your password.`, worksForDays(daysValid)),
      otherwise,
    },
    closing: t`If you did not expect this, ignore this email: nothing changes.`,
  }),
  left_company: ({ name, company, person }) => ({
    subject: t`${person} has left ${company}`,
    heading: t`${person} has left ${company}`,
    greeting: hello(name),
    news: [t`${person} left ${company} on their account page. Their profile is now inactive; nothing was deleted.`],
    closing: t`To give them access again, send a new invitation.`,
  }),
  provider_linked: ({ name, company, connection }) => ({
    subject: t`You now sign in to ${company} with ${connection}`,
    heading: t`You now sign in to ${company} with ${connection}`,
    greeting: hello(name),
    news: [
      t`Someone who proved ownership of this account just linked it. From now on, ${connection} signs you in to ${company}. This account no longer does, and keeps everything else.`,
    ],
    closing: t`If that was not you, choose a new password now, and tell an administrator of ${company}.`,
  }),
  address_changed: ({ name }) => ({
    subject: t`You now sign in with another address`,
    heading: t`You now sign in with another address`,
    greeting: hello(name),
    news: [
      t`This is no longer your sign-in address. Someone who knows your password just confirmed another one, and password reset links go there.`,
    ],
    closing: contactAdministrator,
  }),
  factor_added: ({ name, factor }) => ({
    subject: t`A second factor was added to your account`,
    heading: t`A second factor was added`,
    greeting: hello(name),
    news: [t`You can now use “${factor}” to confirm it’s you when you sign in.`],
    closing: t`If it was not you, choose a new password immediately with “Forgot your password?” on the sign-in page, and tell your administrator.`,
  }),
  factor_removed: ({ name, factor }) => ({
    subject: t`A second factor was removed from your account`,
    heading: t`A second factor was removed`,
    greeting: hello(name),
    news: [t`You can no longer use “${factor}” to confirm it’s you when you sign in.`],
    closing: contactAdministrator,
  }),
  factors_taken: ({ name }) => ({
    subject: t`Your second factors were removed`,
    heading: t`Your second factors were removed`,
    greeting: hello(name),
    news: [
      t`The service operator removed your second factors and recovery codes at your request. All apps and browsers were signed out. You now sign in with your password alone.`,
      t`Set up a new second factor soon.`,
    ],
    closing: t`If it was not you who asked, tell your administrator immediately.`,
  }),
  factors_of_person_taken: ({ name, company, person }) => ({
    subject: t`The second factors of ${person} were removed`,
    heading: t`Second factors were removed`,
    greeting: hello(name),
    news: [
      t`The service operator removed the second factors of ${person} at ${company}, who had lost them. All their apps and browsers were signed out.`,
    ],
    closing: t`If you don’t know about this, ask them whether they requested it.`,
  }),
  recovery_codes_renewed: ({ name }) => ({
    subject: t`You have new recovery codes`,
    heading: t`New recovery codes`,
    greeting: hello(name),
    news: [t`Ten new recovery codes were created for your account. Your previous codes no longer work.`],
    closing: contactAdministrator,
  }),
  recovery_code_used: ({ name, left }) => ({
    subject: t`Somebody signed in with a recovery code`,
    heading: t`A recovery code was used`,
    greeting: hello(name),
    news: [
      tn(
        left,
        t`One of your recovery codes was used just now. One is left. You can make new ones on the page of your second factor.`,
        t`One of your recovery codes was used just now. ${left} are left. You can make new ones on the page of your second factor.`,
      ),
    ],
    closing: contactAdministrator,
  }),
  installer_left: ({ name, company, app, link, daysValid }) => ({
    subject: t`Should ${app} keep working?`,
    heading: t`The person who installed ${app} has left`,
    greeting: hello(name),
    news: [
      t`${app} acts on behalf of ${company}. It keeps working after the person who installed it has left, until an admin ends it.`,
    ],
    link: { label: t`Keep it or end it`, href: link, limits: worksForDays(daysValid), otherwise },
    closing: t`To keep it, you don't have to do anything.`,
  }),
  installer_demoted: ({ name, company, app, person, isSuspended, link, daysValid }) => ({
    subject: isSuspended ? t`${app} is suspended` : t`Should ${app} keep working?`,
    heading: isSuspended ? t`${app} is suspended` : t`Should ${app} keep working?`,
    greeting: hello(name),
    news: [
      isSuspended
        ? t`${person} installed ${app} for ${company}, and now has a lower role than the app. Its requests are refused until another admin confirms it.`
        : t`${person} installed ${app} for ${company}, and now has a lower role. The app keeps acting for the company until an admin ends it.`,
    ],
    link: { label: t`Keep it or end it`, href: link, limits: worksForDays(daysValid), otherwise },
    closing: isSuspended
      ? t`Until an admin decides, the app stays suspended.`
      : t`To keep it, you don't have to do anything.`,
  }),
  webhook_failing: ({ name, company, host, description, explanation, time, consolePath }) => ({
    subject: t`Webhook to ${host} is about to be disabled`,
    heading: t`A webhook is failing`,
    greeting: hello(name),
    news: [
      description
        ? t`${company} can't deliver events to ${host} (${description}), because ${explanation}.`
        : t`${company} can't deliver events to ${host}, because ${explanation}.`,
      t`The last retry of an event is at ${time}. If it also fails, the webhook is disabled. Nothing is lost: events are kept for 30 days.`,
    ],
    link: { label: t`See the receiver's response`, href: consolePath, otherwise },
    closing: t`If the receiver works again by then, you don’t need to do anything.`,
  }),
  directory_roles: ({ name, company, directory, consolePath }) => ({
    subject: t`The group roles of ${directory} changed`,
    heading: t`Group roles changed`,
    greeting: hello(name),
    news: [
      t`An admin of ${company} has changed which groups of the directory ${directory} make people managers or admins.`,
      t`People who manage these groups in your identity provider now control these roles.`,
    ],
    link: { label: t`Review the roles`, href: consolePath, otherwise },
    closing: t`If you don’t know about this, ask the other admins.`,
  }),
  certificate_expiring: ({ name, company, connection, date, consolePath }) => ({
    subject: t`The certificate of ${connection} expires on ${date}`,
    heading: t`Renew the certificate of ${connection}`,
    greeting: hello(name),
    news: [
      t`People of ${company} sign in with ${connection}. Its last certificate expires on ${date}. When the provider signs with another one that isn’t known here, nobody can sign in with it.`,
      t`Create the next certificate in the provider, and enter it in the settings of the connection. With a metadata URL, it’s read from there.`,
    ],
    link: { label: t`Open the connection`, href: consolePath, otherwise },
    closing: t`Keep the old certificate in the settings until the provider signs with the new one.`,
  }),
  directory_token: ({ name, company, directory, days, consolePath }) => ({
    subject: t`The token of ${directory} is old`,
    heading: t`Replace the token of ${directory}`,
    greeting: hello(name),
    news: [
      t`The token with which the directory ${directory} changes the people of ${company} is ${days} days old. It keeps working, but somebody may have copied a token that is never replaced.`,
    ],
    link: { label: t`Replace the token`, href: consolePath, otherwise },
    closing: t`The old token works for another 24 hours, so that nothing stops meanwhile.`,
  }),
  import_failed: ({ name, company, filename, explanation, consolePath }) => ({
    subject: t`The import of ${filename} failed`,
    heading: t`An import failed`,
    greeting: hello(name),
    news: [t`Importing people from ${filename} into ${company} failed. ${explanation}`],
    link: { label: t`See how to fix it`, href: consolePath, otherwise },
    closing: t`Programs can use getImport and listImportErrors.`,
  }),
  invitations_expired: ({ name, company, people, count, consolePath }) => ({
    subject: count === 1 ? t`The invitation of ${people} has expired` : t`${count} invitations have expired`,
    heading: count === 1 ? t`An invitation has expired` : t`Invitations have expired`,
    greeting: hello(name),
    news: [
      count === 1
        ? t`${people} did not accept your invitation to ${company} in time: its link no longer works.`
        : t`These people did not accept your invitations to ${company} in time, so the links no longer work: ${people}.`,
    ],
    link: { label: t`Invite again`, href: consolePath, otherwise },
    closing: t`If they should not join, you don’t need to do anything.`,
  }),
  webhook_deactivated: ({ name, company, host, description, explanation, consolePath }) => ({
    subject: t`Webhook to ${host} was disabled`,
    heading: t`A webhook was disabled`,
    greeting: hello(name),
    news: [
      description
        ? t`${company} no longer sends events to ${host} (${description}), because ${explanation}.`
        : t`${company} no longer sends events to ${host}, because ${explanation}.`,
      t`Nothing is lost: events are kept for 30 days. Once the receiver works again, enable the webhook and send the missed events.`,
    ],
    ...(consolePath && { link: { label: t`See the receiver's response`, href: consolePath, otherwise } }),
    closing: t`Programs can use activateWebhook with replay_from.`,
  }),
};

/** @param sanitized the sanitized values of the mail */
export function messagesOf(template: Mail['template'], sanitized: Mail['values']): MailMessages {
  return (writers[template] as (values: Mail['values']) => MailMessages)(sanitized);
}

function hello(name: string): Text {
  return t`Hello ${name},`;
}

function worksForDays(days: number): Text {
  return tn(days, t`The link works once, for a day.`, t`The link works once, for ${days} days.`);
}

function worksForMinutes(minutes: number): Text {
  return tn(minutes, t`The link works once, for a minute.`, t`The link works once, for ${minutes} minutes.`);
}
