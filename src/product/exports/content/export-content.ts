/**
 * What the file of an export consists of, as streams: nothing is read before it is needed, and nothing is kept after it
 * was written.
 */

import type { Content, ContentInput } from './content-input.ts';
import type { ExportRequest } from './export-request.ts';
import { groupContent } from './group-content.ts';
import { listContent } from './list-content.ts';
import { individualContent } from './person-content.ts';
import { personalDataContent } from './personal-data.ts';

/** @throws ExportFailure when there is nothing to show any more */
export function contentOf(request: ExportRequest, input: ContentInput): Promise<Content> {
  switch (request.kind) {
    case 'individual':
      return individualContent(request, input);
    case 'personal_data':
      return personalDataContent(request, input);
    case 'list':
      return listContent(request, input);
    case 'group':
      return groupContent(request, input);
  }
}
