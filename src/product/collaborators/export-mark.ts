/** Marks exported workbooks, even after other programs save them, so that imports recognize the people in them. */
import type { TableInfo } from '../../platform/sheets/model/types.ts';

const property = 'export';
const kinds = ['group', 'individual'] as const;
type ExportKind = (typeof kinds)[number];

export function exportProperties(kind: ExportKind): Record<string, string> {
  return { [property]: kind };
}

export function exportKindOf({ properties }: TableInfo): ExportKind | undefined {
  return kinds.find((kind) => kind === properties?.[property]);
}
