/** The README.txt of a personal data archive, in the language of the person. */
import { defaultLanguage, type Language } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import { languageOfCompany, languagesOf } from '../../../identity/members/own-language.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';

const files: Record<string, Text> = {
  'profile.json': t`the profile`,
  'archived-fields.json': t`values of custom fields that the company no longer uses`,
  'status.json': t`the status, since when, and why`,
  'notifications.json': t`notification settings`,
  'saved-views.json': t`saved views`,
  'invitations.json': t`invitations`,
  'directories.json': t`what the company's identity provider sent about the person, and which of it was refused`,
  'account.json': t`the sign-in account, and its apps with access to this company; null if there is none`,
  'history.json': t`changes of the profile, newest first`,
  'audit-about.json': t`what others did with the person's data, newest first`,
  'audit-by.json': t`what the person did in this company, including sign-ins, newest first; missing without an account`,
  'photo.webp': t`the photo; missing without one`,
  'documents.json': t`the list of documents; "file" is their place in this archive`,
  'documents/': t`the documents`,
};

const nameWidth = 22;

export async function readmeOf(snapshot: TenantSnapshot, { name, id }: CollaboratorRow): Promise<string> {
  const language: Language =
    (await languagesOf(snapshot, [id])).get(id) ?? (await languageOfCompany(snapshot)) ?? defaultLanguage;
  const lines = [
    t`Personal data of ${name}`,
    t`Created on ${new Date().toISOString()}. The person's ID in the service is ${id}.`,
    '',
    ...Object.entries(files).map(([file, text]) => file.padEnd(nameWidth) + text.translate(language)),
    '',
    t`Dates and times are in UTC. Other people appear only as IDs.`,
  ];
  return lines.map((line) => `${typeof line === 'string' ? line : line.translate(language)}\n`).join('');
}
