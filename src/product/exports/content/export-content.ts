/** What an export's file consists of. Nothing is read before it is taken, and nothing is kept behind what was taken. */

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
