/** The loggable path of a request without an operation: only words of our own routes; others may be an address or a secret. */
import { contractOperations } from '../../../contract/contract.ts';
import { pathOf } from './request-metrics.ts';

const other = ':other';
const secret = ':token';
const maxSegments = 8;

const ownWords = `healthz readyz files scim v2 Users Groups Schemas ResourceTypes ServiceProviderConfig console docs oauth
  authorize token revoke jwks interaction invitation installation reset address forgot sign-out style.css
  .well-known oauth-authorization-server guides errors openapi.json openapi-3.0.json openapi.yaml llms.txt
  cli.tgz schemas contract-diff-report-1.json favicon.ico robots.txt metrics`;
const words = new Set([
  ...contractOperations.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith('{'))),
  ...ownWords.split(/\s+/),
]);

/** The segment after these is a secret. */
const beforeSecrets = new Set(['files', 'interaction', 'invitation', 'reset', 'address', 'installation', 'authorize']);

export function loggedPath(url: string): string {
  const parts = pathOf(url).split('/');
  const segments: string[] = [];
  for (const part of parts.slice(0, maxSegments)) {
    const known = part === '' || words.has(part);
    if (beforeSecrets.has(segments.at(-1) ?? '') && part !== '') {
      segments.push(secret);
      break;
    }
    segments.push(known ? part : other);
  }
  return parts.length > maxSegments && segments.at(-1) !== secret ? `${segments.join('/')}/…` : segments.join('/');
}
