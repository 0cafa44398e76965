/** `/docs/search?q=…`: the search page, rendered per query. */

import type { Content } from '../http/responses/published.ts';
import { page } from './page.ts';
import { search } from './search-index.ts';

const maxQueryLength = 100;

export function searchPage(input: unknown): Content {
  const query = typeof input === 'string' ? input.slice(0, maxQueryLength).trim() : '';
  const description = 'Search guides, operations, events, and error codes of the Collaborator Management API.';
  const title = query ? `Search: ${query}` : 'Search';
  return page('@search', { title, description, path: '/docs/search' }, { query, found: search(query) });
}
