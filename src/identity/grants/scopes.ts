/** The fixed list of scopes, with their descriptions for the consent page. The contract's `securitySchemes` has the same list. */

import { type Text, t } from '../../contract/languages/text.ts';
import { emailScope, identityScopes, openid } from '../tokens/openid-scope.ts';

export const scopes = {
  profile: t`See your name, your email address and your companies`,
  offline_access: t`Stay connected while you are away, for up to 180 days`,
  'collaborators:read': t`See people and their profiles`,
  'colleagues:read': t`See your colleagues’ names, positions and work addresses`,
  'collaborators:write': t`Add, change and remove people`,
  'salary:read': t`See salaries`,
  'salary:write': t`Change salaries`,
  'custom_fields:manage': t`Define your companies’ own fields for people`,
  'custom_fields:sensitive': t`See and change sensitive fields of people`,
  'roles:write': t`Change people’s roles`,
  'documents:read': t`See and download people’s documents`,
  'documents:write': t`Add and remove people’s documents`,
  'history:read': t`See the history of changes`,
  'notifications:read': t`See notification settings`,
  'notifications:write': t`Change notification settings`,
  'invitations:send': t`Send invitations`,
  'imports:write': t`Import people from files`,
  'exports:read': t`Export people to files`,
  'audit:read': t`See who did what in your companies`,
  'company:manage': t`Change the settings of your companies, and their rules for signing in`,
  'apps:manage': t`Register, change and delete your companies’ own apps`,
  'directories:manage': t`Connect identity providers that add, change and remove people`,
  'sign_in_connections:manage': t`Connect identity providers that people sign in with`,
  'connections:manage': t`See connected apps and end their access`,
  'webhooks:manage': t`Manage webhooks and read company events`,
} as const;

export type Scope = keyof typeof scopes;

/** Descriptions that differ for installations. */
const ofInstallations: Partial<Record<Scope, Text>> = {
  profile: t`See the name of the company`,
  offline_access: t`Stay connected until somebody ends it`,
};

const openidDescription = t`Recognize you by a unique ID when you sign in again`;
const emailDescription = t`See your email address`;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** The `scopes_supported` of the metadata. */
export const supportedScopes: readonly string[] = [...identityScopes, ...Object.keys(scopes)];

/** Scopes of personal claims (OpenID Connect Core 1.0, section 5.4), which generic clients request with `openid`. */
const claimScopes = ['phone', 'address'];

/** With `openid`, drops unsupported claim scopes: unknown ones should be ignored (OpenID Connect Core 1.0, section 3.1.2.1). */
export function readScopes(parameter: string): string {
  const names = namesOf(parameter);
  if (!names.includes(openid)) return names.join(' ');
  return names.filter((name) => supportedScopes.includes(name) || !claimScopes.includes(name)).join(' ');
}

function namesOf(parameter: string): string[] {
  return parameter.split(' ').filter(Boolean);
}

/** Describes the scopes of a `scope` parameter. */
export function describeScopes(parameter: string, isInstallation = false): Text[] {
  const descriptions: Record<Scope, Text> = isInstallation ? { ...scopes, ...ofInstallations } : scopes;
  const rights = parseScopes(parameter).map((scope) => descriptions[scope]);
  const requested = requestedIdentityScopes(parameter);
  return [
    ...(requested.includes(openid) ? [openidDescription] : []),
    ...(requested.includes(emailScope) ? [emailDescription] : []),
    ...rights,
  ];
}

/** The identity scopes of a `scope` parameter: none without `openid`. */
export function requestedIdentityScopes(parameter: string): string[] {
  const names = namesOf(parameter);
  return names.includes(openid) ? identityScopes.filter((scope) => names.includes(scope)) : [];
}

/** Whether a `scope` parameter requests an `id_token`. */
export function requestsIdToken(parameter: string): boolean {
  return namesOf(parameter).includes(openid);
}

/** The known scopes of a `scope` parameter, in the order of the list above. */
export function parseScopes(parameter: string | undefined): Scope[] {
  const requested = new Set(namesOf(parameter ?? ''));
  return (Object.keys(scopes) as Scope[]).filter((scope) => requested.has(scope));
}
