/** Cell styles, the same in every workbook. */
import type { CellKind } from '../model/types.ts';

/** Indexes of the cell formats in `stylesXml`. */
export const styles = {
  general: 0,
  header: 13,
  requiredHeader: 14,
  prose: 15,
  heading: 16,
  /** Added to the style of a kind. */ example: 6,
};

export const cellStyles: Record<CellKind, number> = { text: 1, number: 2, money: 3, date: 4, datetime: 5, boolean: 6 };

/** Text (`@`), number, `#,##0.00`, date, date and time, boolean. */
const formats = [49, 0, 4, 164, 165, 0];
const ofKinds = (font: number) =>
  formats
    .map(
      (id) =>
        `<xf numFmtId="${id}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${font ? ' applyFont="1"' : ''}/>`,
    )
    .join('');
const header = (fill: number) =>
  `<xf numFmtId="49" fontId="1" fillId="${fill}" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="center"/></xf>`;
const fill = (color: string) =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`;
const font = (more: string) => `<font>${more}<sz val="11"/>`;
const fontEnd = '<name val="Calibri"/><family val="2"/></font>';

export const stylesXml =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  `<fonts count="4">${font('')}${fontEnd}` +
  `${font('<b/>')}<color rgb="FFFFFFFF"/>${fontEnd}${font('<i/>')}<color rgb="FF7F7F7F"/>${fontEnd}` +
  `${font('<b/>')}<color rgb="FF1F4E79"/>${fontEnd}</fonts>` +
  '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  `${fill('FF44546A')}${fill('FF1F4E79')}</fills>` +
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>' +
  '<border><left/><right/><top/><bottom style="thin"><color rgb="FFBFBFBF"/></bottom><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="17"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  `${ofKinds(0)}${ofKinds(2)}${header(2)}${header(3)}` +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1">' +
  '<alignment vertical="top" wrapText="1"/></xf>' +
  '<xf numFmtId="49" fontId="3" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
