/** The loggable path of a request without an operation: only words of our own routes; others may be an address or a secret. */
import { contractOperations } from '../../../contract/contract.ts';
import { pathOf } from './request-metrics.ts';

const other = ':other';
const secret = ':token';
const longest = 8;

const words = new Set([
  ...contractOperations.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith('{'))),
  ...[
    'healthz',
    'readyz',
    'files',
    'scim',
    'v2',
    'Users',
    'Groups',
    'Schemas',
    'ResourceTypes',
    'ServiceProviderConfig',
    'console',
    'docs',
    'oauth',
    'authorize',
    'token',
    'revoke',
    'jwks',
    'interaction',
    'invitation',
    'installation',
  ],
  ...[
    'reset',
    'address',
    'forgot',
    'sign-out',
    'style.css',
    '.well-known',
    'oauth-authorization-server',
    'guides',
    'errors',
  ],
  ...[
    'openapi.json',
    'openapi-3.0.json',
    'openapi.yaml',
    'llms.txt',
    'cli.tgz',
    'schemas',
    'contract-diff-report-1.json',
    'favicon.ico',
    'robots.txt',
    'metrics',
  ],
]);

/** The segment after these is a secret. */
const beforeSecrets = new Set(['files', 'interaction', 'invitation', 'reset', 'address', 'installation', 'authorize']);

export function loggedPath(url: string): string {
  const parts = pathOf(url).split('/');
  const shown: string[] = [];
  for (const part of parts.slice(0, longest)) {
    const known = part === '' || words.has(part);
    if (beforeSecrets.has(shown.at(-1) ?? '') && part !== '') {
      shown.push(secret);
      break;
    }
    shown.push(known ? part : other);
  }
  return parts.length > longest && shown.at(-1) !== secret ? `${shown.join('/')}/…` : shown.join('/');
}
