/**
 * The closed list of scopes, each with the words in which the consent page explains it. The contract lists the same
 * scopes in `securitySchemes`.
 */

import { say, type Text } from '../../contract/languages/text.ts';

export const scopes = {
  profile: say`See your name, your email address and your companies`,
  offline_access: say`Stay connected while you are away, for up to 180 days`,
  'collaborators:read': say`See people and their profiles`,
  'collaborators:write': say`Add, change and remove people`,
  'salary:read': say`See salaries`,
  'salary:write': say`Change salaries`,
  'roles:write': say`Change people’s roles`,
  'documents:read': say`See and download people’s documents`,
  'documents:write': say`Add and remove people’s documents`,
  'history:read': say`See the history of changes`,
  'notifications:read': say`See notification settings`,
  'notifications:write': say`Change notification settings`,
  'invitations:send': say`Send invitations`,
  'imports:write': say`Import people from files`,
  'exports:read': say`Export people to files`,
  'audit:read': say`See who did what in your companies`,
  'company:manage': say`Change the settings of your companies, and their rules for signing in`,
  'apps:manage': say`Register, change and delete your companies’ own apps`,
  'connections:manage': say`See which apps have been connected, and end that`,
  'webhooks:manage': say`Manage webhooks and read company events`,
} as const;

export type Scope = keyof typeof scopes;

/**
 * The scope of OpenID Connect: whoever asks for it gets an `id_token` too, which says who signed in. It is a right to nothing, so
 * it is in no access token and not in the list above.
 */
export const openid = 'openid';
const openid_explained = say`Recognise you when you sign in again, by an id that stands for you`;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** The `scopes_supported` of the metadata. */
export const supported_scopes: readonly string[] = [openid, ...Object.keys(scopes)];

/** What a `scope` parameter asks a person for, in words. */
export function explained(parameter: string): Text[] {
  const rights = parseScopes(parameter).map((scope) => scopes[scope]);
  return asksWho(parameter) ? [openid_explained, ...rights] : rights;
}

/** Whether a `scope` parameter asks for an `id_token`. */
export function asksWho(parameter: string): boolean {
  return parameter.split(' ').includes(openid);
}

/** A `scope` parameter as the scopes it holds, in the order of the list above; unknown ones are left out. */
export function parseScopes(parameter: string | undefined): Scope[] {
  const asked = new Set(parameter?.split(' '));
  return (Object.keys(scopes) as Scope[]).filter((scope) => asked.has(scope));
}
