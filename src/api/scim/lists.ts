/** List responses (RFC 7644, section 3.4.2). */

import type { ScimRequest } from './operation.ts';
import { maxResults } from './schema-definitions.ts';

const defaultResults = 100;

interface Page {
  start_index: number;
  count: number;
}

/** Clamps a start below 1 to 1, and a negative count to 0 (section 3.4.2.4). */
export function pageOf({ startIndex = '1', count = String(defaultResults) }: ScimRequest['query']): Page {
  return {
    start_index: Math.max(1, Number(startIndex)),
    count: Math.min(maxResults, Math.max(0, Number(count))),
  };
}

export function listResponse(resources: readonly unknown[], total = resources.length, startIndex = 1) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
