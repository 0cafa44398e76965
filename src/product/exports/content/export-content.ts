/** Generates an export's file as a stream: data is read on demand, and nothing is kept after it is written. */

import type { Content, ContentInput } from './content-input.ts';
import type { ExportRequest } from './export-request.ts';
import { groupContent } from './group-content.ts';
import { listContent } from './list-content.ts';
import { individualContent } from './person-content.ts';
import { personalDataContent } from './personal-data.ts';

/** @throws ExportFailure if there is nothing to show anymore */
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
