/** Scopes with descriptions of what they allow. */

import { installedScopeNames, scopeNames } from '../names.ts';
import { named } from '../translate.ts';

/** All scopes; a test compares them with the contract. */
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

/** Scopes with a different meaning for installations, which act for the company. */
const ofInstallations: readonly string[] = ['profile', 'offline_access'];

function scopeText(scope: string, installed: boolean): string {
  return named(installed && ofInstallations.includes(scope) ? installedScopeNames : scopeNames, scope);
}

/** In contract order, regardless of the requested order. */
export function ScopeList({ names, installed = false }: { names: readonly string[]; installed?: boolean }) {
  const known = scopes.filter((scope) => names.includes(scope));
  const others = names.filter((name) => !known.some((scope) => scope === name));
  return (
    <ul className="scopes">
      {[...known, ...others].map((scope) => (
        <li key={scope}>
          {scopeText(scope, installed)} <code className="quiet">{scope}</code>
        </li>
      ))}
    </ul>
  );
}
