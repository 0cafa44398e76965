/** `/docs/search?q=…`: a page like the others, made for each question. */

import type { Content } from '../http/published.ts';
import { page } from './page.ts';
import { search } from './search-index.ts';

const longestQuery = 100;

/** @param asked as the address has it: a text, several, or none */
export function searchPage(asked: unknown): Content {
  const query = typeof asked === 'string' ? asked.slice(0, longestQuery).trim() : '';
  const description = 'Search guides, operations, events and error codes of the Collaborator Management API.';
  const title = query ? `Search: ${query}` : 'Search';
  return page('@search', { title, description, path: '/docs/search' }, { query, found: search(query) });
}
