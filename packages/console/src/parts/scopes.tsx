/** Scopes, each in words: what an app may do. */

import { installedScopeNames, scopeNames } from './names.ts';
import { named } from './words.ts';

/** All that there are; a test compares them with the contract. */
export const scopes = [
  'profile',
  'offline_access',
  'collaborators:read',
  'colleagues:read',
  'collaborators:write',
  'salary:read',
  'salary:write',
  'custom_fields:manage',
  'custom_fields:sensitive',
  'roles:write',
  'documents:read',
  'documents:write',
  'history:read',
  'notifications:read',
  'notifications:write',
  'invitations:send',
  'imports:write',
  'exports:read',
  'audit:read',
  'company:manage',
  'apps:manage',
  'directories:manage',
  'sign_in_connections:manage',
  'connections:manage',
  'webhooks:manage',
] as const;

/** Some mean something else where an app acts for the company by itself. */
const ofInstallations: readonly string[] = ['profile', 'offline_access'];

function inWords(scope: string, installed: boolean): string {
  return named(installed && ofInstallations.includes(scope) ? installedScopeNames : scopeNames, scope);
}

/** In the order of the contract, whatever order they were asked for in. */
export function ScopeList({ names, installed = false }: { names: readonly string[]; installed?: boolean }) {
  const known = scopes.filter((scope) => names.includes(scope));
  const others = names.filter((name) => !known.some((scope) => scope === name));
  return (
    <ul className="scopes">
      {[...known, ...others].map((scope) => (
        <li key={scope}>
          {inWords(scope, installed)} <code className="quiet">{scope}</code>
        </li>
      ))}
    </ul>
  );
}
