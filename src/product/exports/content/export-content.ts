/**
 * What the file of an export consists of, as streams: nothing is read before it is needed, and nothing is kept after it
 * was written.
 */

import type { Content, Making } from './content-input.ts';
import type { Wanted } from './export-request.ts';
import { groupContent } from './group-content.ts';
import { listContent } from './list-content.ts';
import { individualContent } from './person-content.ts';

/** @throws ExportFailure when there is nothing to show any more */
export function contentOf(wanted: Wanted, making: Making): Promise<Content> {
  switch (wanted.kind) {
    case 'individual':
      return individualContent(wanted, making);
    case 'list':
      return listContent(wanted, making);
    case 'group':
      return groupContent(wanted, making);
  }
}
