/**
 * Marks exported workbooks, even after other programs save them, so that an import recognizes the people in them without
 * questions.
 */
import type { TableInfo } from '../../platform/sheets/model/types.ts';

const property = 'export';
/** Workbooks with other sheets beside the one of people. */
const kinds = ['group', 'individual'] as const;
type MarkedExport = (typeof kinds)[number];

/** The hidden property for `writeWorkbook`. */
export function exportProperties(kind: MarkedExport): Record<string, string> {
  return { [property]: kind };
}

export function markedExport({ properties }: TableInfo): MarkedExport | undefined {
  return kinds.find((kind) => kind === properties?.[property]);
}
