/** What an export's file consists of. Nothing is read before it is taken, and nothing is kept behind what was taken. */
import { groupContent } from './group.ts';
import { individualContent } from './individual.ts';
import { listContent } from './list.ts';
import type { Content, Making } from './making.ts';
import type { Wanted } from './wanted.ts';

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
