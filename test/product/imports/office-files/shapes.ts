/** Real-world office tables by file shape, with expected people and messages. */
import * as XLSX from 'xlsx';
import { csv } from '../../../helpers/resources/imports.ts';
import { odsOf } from '../../../platform/sheets/other-workbooks.ts';

type Value = string | number | null;

interface ShapeCase {
  title: string;
  file(): Buffer | Promise<Buffer>;
  /** In file order, as they would be written. */
  people?: Record<string, unknown>[];
  warnings?: string[];
  /** Places and codes. */
  errors?: string[];
  /** The question, or the error of the columns. */
  message?: RegExp;
}

const header = ['Name', 'Email', 'Position', 'Department'];
const headerPt = ['Nome', 'E-mail', 'Cargo', 'Departamento'];
const people = [
  ['Eva Prado', 'eva.prado@shapes.example', 'Planner', 'Fleet'],
  ['Rui Reis', 'rui.reis@shapes.example', 'Driver', 'Port'],
  ['Maëlle Roux', 'maelle.roux@shapes.example', 'Clerk', 'Port'],
];
const all = people.map(([name, email, position, department]) => ({ name, email, position, department }));
const [eva, rui, maelle] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
const more = (...columns: Value[][]) => people.map((row, at) => [...row, ...(columns[at] ?? [])]);
const text = (rows: readonly (readonly Value[])[], sign = ',', end = '\r\n', quote = '') =>
  Buffer.from(rows.map((row) => row.map((cell) => quote + (cell ?? '') + quote).join(sign) + end).join(''));

/** @param dress adds to the first sheet */
function book(
  rows: Value[][],
  dress: (sheet: XLSX.WorkSheet) => void = () => {},
  type: XLSX.BookType = 'xlsx',
  others: Record<string, Value[][]> = {},
): Buffer {
  const workbook = XLSX.utils.book_new();
  const sheet = XLSX.utils.aoa_to_sheet(rows);
  dress(sheet);
  for (const [name, cells] of Object.entries(others))
    XLSX.utils.book_append_sheet(workbook, XLSX.utils.aoa_to_sheet(cells), name);
  XLSX.utils.book_append_sheet(workbook, sheet, 'Lista');
  return XLSX.write(workbook, { type: 'buffer', bookType: type });
}

const merged = (sheet: XLSX.WorkSheet) => {
  sheet['!merges'] = [XLSX.utils.decode_range('D3:D4')];
};
const filtered = (sheet: XLSX.WorkSheet) => {
  sheet['!rows'] = [{}, {}, { hidden: true }];
};
const uncovered = [header, ...people.slice(0, 2), [...people[2]!.slice(0, 3), null]];
const kinds = ['xlsx', 'xlsb'] as const;

export const shapeCases: ShapeCase[] = [
  { title: 'every line in quotes', file: () => text([[header.join()], ...people.map((row) => [row.join()])], '', '\r\n', '"'), people: all },
  { title: 'every line in quotes, with quotes within', file: () => Buffer.from(`"Name;Email;Position;Department"\r\n"""Prado; Eva"";eva.prado@shapes.example;Planner;Fleet"\r\n`), people: [{ ...eva, name: 'Prado; Eva' }] },
  { title: 'empty columns and rows behind', file: () => text([[...header, '', ''], ...people.map((row) => [...row, '', '']), ['', '', '', '', '', ''], ['', '', '', '', '', '']]), people: all },
  { title: 'nothing but headers', file: () => text([header]), people: [] },
  { title: 'sixty columns of no interest', file: () => csv([[...header, ...Array.from({ length: 60 }, (_, at) => `Note ${at}`)], ...people]), people: all, warnings: ['columns_left_out'] },
  { title: 'the numbers of rows in front, and NA, as R writes them', file: () => csv([['', ...header, 'Salary'], ...people.map((row, at) => [at + 1, ...row, 'NA'])]), people: all, warnings: ['column_left_out', 'placeholders'] },
  { title: 'totals below', file: () => book([[...headerPt, 'Salário'], ...more([100.5], [100.5], [100.5]), [], ['Total: 3', null, null, null, 301.5]]), people: [...all.map((each) => ({ ...each, salary: '100.5' })), { name: 'Total: 3', salary: '301.5' }], errors: ['B6 email required', 'C6 position required', 'D6 department required'] },
  { title: 'headings of groups between', file: () => book([header, ['FLEET'], people[0]!, ['PORT'], people[1]!]), people: [{ name: 'FLEET' }, eva, { name: 'PORT' }, rui], errors: [2, 4].flatMap((row) => [`B${row} email required`, `C${row} position required`, `D${row} department required`]) },
  ...kinds.map((kind): ShapeCase => ({ title: `merged cells (${kind})`, file: () => book(uncovered, merged, kind), people: all, warnings: ['merged_cells'] })),
  { title: 'rows that a filter hides (xlsx)', file: () => book([header, ...people], filtered), people: all, warnings: ['hidden_rows'] },
  { title: 'rows that a filter hides, and merged cells (ods)', file: () => odsOf(odsMerged().replace('<table:table-row><table:table-cell office:value-type="string"><text:p>Rui', '<table:table-row table:visibility="filter"><table:table-cell office:value-type="string"><text:p>Rui')), people: all, warnings: ['merged_cells', 'hidden_rows'] },
  { title: 'a cover in front', file: () => book([header, ...people], undefined, 'xlsx', { Capa: [['Quadro de pessoal'], ['Empresa', 'Verde Ltda']] }), people: all, warnings: ['sheets_left_out'] },
  { title: 'a sheet for each department, of which somebody has to say which', file: () => book([header, people[0]!], undefined, 'xlsx', { Port: [['Staff'], header, ...people.slice(1)] }), message: /^Several sheets have people\. Which one should be imported\?$/ },
  { title: 'people side by side', file: () => book(headerPt.map((name, at) => [name, ...people.map((row) => row[at]!)])), message: /^The field names are in column A/ },
  { title: 'no addresses at all', file: () => csv([['Matrícula', 'Nome', 'Cargo', 'Setor'], ['17', 'Eva Prado', 'Planner', 'Fleet']]), message: /^There is no column for email\.$/ },
  { title: 'a name of two formulas that no program has worked out, beside its parts', file: () => book([['First', 'Last', ...header.slice(1), 'Full name'], ['Eva', 'Prado', ...people[0]!.slice(1)]], (sheet) => { sheet.F2 = { t: 's', f: 'A2&" "&B2', v: '' }; }), people: [eva], warnings: ['formula_results', 'names_joined'] },
  { title: 'a name of two formulas with its results', file: () => book([['First', 'Last', ...header], ['Eva', 'Prado', ...people[0]!]], (sheet) => { sheet.C2 = { t: 's', f: 'A2&" "&B2', v: 'Eva Prado' }; }), people: [eva], warnings: ['formula_results'] },
  { title: 'formulas in a column of no interest', file: () => book([[...header, 'Age'], ...more([1], [2], [3])], (sheet) => { sheet.E2 = { t: 'n', f: '40+1', v: 41 }; }), people: all, warnings: ['columns_left_out'] },
  { title: 'cells with formats', file: () => book([[...header, 'Employee ID', 'Salary', 'Hire date', 'Work schedule'], [...people[0]!, 12, 2900.5, 43_560, 0.5]], (sheet) => { sheet.E2.z = '00000'; sheet.F2.z = '_-"R$"* #,##0.00_-'; sheet.G2.z = 'dd/mm/yyyy;@'; sheet.H2.z = '0%'; }), people: [{ ...eva, employee_number: '00012', salary: '2900.5', hire_date: '2019-04-05', work_schedule: '50%' }] },
  { title: 'the family name first', file: () => csv([['Name, Vorname', 'E-Mail', 'Position', 'Abteilung'], ['Prado, Eva', ...people[0]!.slice(1)]]), people: [eva], warnings: ['names_turned'] },
  { title: 'a status and a last day', file: () => csv([[...headerPt, 'Situação', 'Data de desligamento'], ...more(['Ativo', null], ['Ativo', null], ['Demitida', '31/01/2024'])]), people: [eva, rui, { ...maelle, status: 'inactive', termination_date: '2024-01-31' }], warnings: ['date_order'] },
  { title: 'two phones', file: () => csv([[...headerPt, 'Telefone', 'Celular'], ...more(['1', '2'])]), message: /^Several columns can be “Phone”\. Which one should be used\?$/ },
]; // biome-ignore format: a table

function odsMerged(): string {
  const cell = (value: Value, more = '') => `<table:table-cell office:value-type="string"${more}><text:p>${value}</text:p></table:table-cell>`;
  const rows = [header, ...people].map((row, at) => {
    const cells = row.map((value, column) => {
      if (column < 3 || at < 2) return cell(value);
      return at === 2 ? cell(value, ' table:number-rows-spanned="2"') : '<table:covered-table-cell/>';
    });
    return `<table:table-row>${cells.join('')}</table:table-row>`;
  });
  return `<table:table table:name="Lista">${rows.join('')}</table:table>`;
} // biome-ignore format: short
