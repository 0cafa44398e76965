/** Which sheet of a workbook is read. */
import { say } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';

/**
 * @param sheets in their order
 * @param name by default, the first that is visible
 * @returns the sheet, and what `TableInfo` says of it and the others
 */
export function chooseSheet<S extends { name: string; isVisible: boolean }>(
  sheets: readonly S[],
  name: string | undefined,
): { chosen: S; names: { sheet: string; sheets: string[] } } {
  const visible = sheets.filter(({ isVisible }) => isVisible);
  const chosen = name === undefined ? visible[0] : sheets.find((sheet) => sheet.name === name);
  if (!chosen) throw new SheetError('no_sheet', say`The workbook has no such sheet.`, name ? { names: [name] } : {});
  return { chosen, names: { sheet: chosen.name, sheets: visible.map((sheet) => sheet.name) } };
}
