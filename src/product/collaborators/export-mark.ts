/** How a workbook that was exported is known again, whoever has saved it since: an import reads its people without a question. */
import type { TableInfo } from '../../platform/sheets/model/types.ts';

const property = 'export';
/** Those that have sheets beside one of people. */
const kinds = ['group', 'individual'] as const;
type MarkedExport = (typeof kinds)[number];

/** What `writeWorkbook` hides in it. */
export function exportProperties(kind: MarkedExport): Record<string, string> {
  return { [property]: kind };
}

export function markedExport({ properties }: TableInfo): MarkedExport | undefined {
  return kinds.find((kind) => kind === properties?.[property]);
}
