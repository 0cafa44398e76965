/** Generates the small parts of a workbook beside its sheets (ECMA-376, parts 1 and 2). */
import type { WrittenSheet } from '../model/sheet.ts';
import { xmlText } from '../xml/xml-text.ts';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const visibilities = { visible: '', hidden: ' state="hidden"', hidden_for_good: ' state="veryHidden"' };

export const relations =
  `${head}<Relationships xmlns="${packages}/relationships">` +
  `<Relationship Id="rId1" Type="${types}/officeDocument" Target="xl/workbook.xml"/>` +
  `<Relationship Id="rId2" Type="${packages}/relationships/metadata/core-properties" Target="docProps/core.xml"/>` +
  `<Relationship Id="rId3" Type="${types}/custom-properties" Target="docProps/custom.xml"/></Relationships>`;

export function workbookXml(sheets: readonly WrittenSheet[]): string {
  const list = sheets.map(({ name, visibility }, at) => {
    return `<sheet name="${xmlText(name)}" sheetId="${at + 1}"${visibilities[visibility]} r:id="rId${at + 1}"/>`;
  });
  return (
    `${head}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${types}">` +
    `<bookViews><workbookView/></bookViews><sheets>${list.join('')}</sheets></workbook>`
  );
}

export function workbookRelations(sheetCount: number): string {
  const list = numbers(sheetCount).map(
    (number) => `<Relationship Id="rId${number}" Type="${types}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  const styles = `<Relationship Id="rId${sheetCount + 1}" Type="${types}/styles" Target="styles.xml"/>`;
  return `${head}<Relationships xmlns="${packages}/relationships">${list.join('')}${styles}</Relationships>`;
}

export function contentTypes(sheetCount: number): string {
  const part = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${type}"/>`;
  return (
    `${head}<Types xmlns="${packages}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    part('xl/workbook.xml', `${media}.sheet.main+xml`) +
    numbers(sheetCount)
      .map((number) => part(`xl/worksheets/sheet${number}.xml`, `${media}.worksheet+xml`))
      .join('') +
    part('xl/styles.xml', `${media}.styles+xml`) +
    part('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
    part('docProps/custom.xml', 'application/vnd.openxmlformats-officedocument.custom-properties+xml') +
    '</Types>'
  );
}

export function coreProperties(title: string, now: Date): string {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  return (
    `${head}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${xmlText(title)}</dc:title><dcterms:created xsi:type="dcterms:W3CDTF">${time}</dcterms:created>` +
    '</cp:coreProperties>'
  );
}

export function customProperties(properties: Record<string, string>): string {
  const list = Object.entries(properties).map(
    ([name, value], at) =>
      `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${at + 2}" name="${xmlText(name)}">` +
      `<vt:lpwstr>${xmlText(value)}</vt:lpwstr></property>`,
  );
  return (
    `${head}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" ` +
    'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">' +
    `${list.join('')}</Properties>`
  );
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
