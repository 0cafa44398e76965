import { t } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';

/** @param name default: the first visible sheet @returns the sheet, and the sheet names for `TableInfo` */
export function chooseSheet<S extends { name: string; isVisible: boolean }>(
  sheets: readonly S[],
  name: string | undefined,
): { chosen: S; names: { sheet: string; sheets: string[] } } {
  const visible = sheets.filter(({ isVisible }) => isVisible);
  const chosen = name === undefined ? visible[0] : sheets.find((sheet) => sheet.name === name);
  if (!chosen) throw new SheetError('no_sheet', t`The workbook has no such sheet.`, name ? { names: [name] } : {});
  return { chosen, names: { sheet: chosen.name, sheets: visible.map((sheet) => sheet.name) } };
}
