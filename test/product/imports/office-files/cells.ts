/** Cells from real-world office lists, one person each, with the stored value. */

/** `refused`: an error at the cell, and the person isn't added. */
export type Stored = string | number | null | 'refused';

export interface CellCase {
  title: string;
  header: string;
  field: 'hire_date' | 'salary' | 'email' | 'location' | 'name';
  delimiter: ',' | ';';
  /** Answers to the questions of the import. */
  answers?: Record<string, string>;
  cells: readonly (readonly [written: string, stored: Stored])[];
}

const day = '2019-04-05';

export const cellCases: CellCase[] = [
  {
    title: 'dates of many programs in one column',
    ...{ header: 'Hire date', field: 'hire_date', delimiter: ',' },
    cells: [
      ['19-JUL-02', '2002-07-19'], ['05.04.2019', day], ['5º de abril de 2019', day], ['2019-04-05T00:00:00.000Z', day],
      ['2019-04-05 00:00:00', day], ['05/04/2019 00:00', day], ['Apr 5, 2019', day], ['5-Apr-19', day], ['2019/04/05', day],
      ['2019.04.05', day], ['43560', day], ['05042019', day], ['5 de abril de 2019', day], ['5. April 2019', day],
      ['5 avril 2019', day], ['５/４/２０１９', day], ['2019-4-5', day], ['19/04/05', '2005-04-19'], ['25/12/2018', '2018-12-25'],
      ['00/00/0000', null], ['0000-00-00', null], ['-', null],
      ['2019年4月5日', 'refused'], ['Fri Apr 05 2019 00:00:00 GMT-0300', 'refused'], ['2019-04-05T03:00:00Z', 'refused'],
      ['a definir', 'refused'], ['31/02/2019', 'refused'], ['14/14/2019', 'refused'], ["'05/04/2019", 'refused'],
      ['Q2 2019', 'refused'], ['Apr-19', 'refused'], ['04/2019', 'refused'], ['2019', 'refused'],
    ],
  },
  {
    title: 'dates of Portuguese and Spanish spreadsheets',
    ...{ header: 'Admissão', field: 'hire_date', delimiter: ';' },
    cells: [
      ['05-abr-19', day], ['5/abr/2019', day], ['05.abr.2019', day], ['5 de abr. de 2019', day], ['sexta-feira, 5 de abril de 2019', day],
      ['05/04/19', day], ['5/4/2019 00:00:00', day], ['05/04/2019 0:00', day], ['2019-04-05T00:00:00-03:00', day], ['05-abril-2019', day],
      ['7-ene-2019', '2019-01-07'], ['19 sept. 2019', '2019-09-19'], ['19. Sep. 2019', '2019-09-19'], ['19.9.19', '2019-09-19'], ['abr/19', 'refused'],
    ],
  },
  {
    title: 'amounts of many countries, with the answer that the comma is before the decimals',
    ...{ header: 'Salary', field: 'salary', delimiter: ';', answers: { decimal: 'comma' } },
    cells: [
      ['R$ 2.900,00', 2900], ['$47,300.00', 47_300], ['€ 39.000,00', 39_000], ['39.000,00 €', 39_000], ['USD 47,300', 47.3], ['47.300,00', 47_300],
      ['47,300.00', 47_300], ['47 300,00', 47_300], ["47'300.00", 47_300], ['47\u00a0300,00', 47_300], ['47\u202f300,00', 47_300], ['47.300', 47_300],
      ['1.350.000', 1_350_000], ['47300,5', 47_300.5], ['47,300.00 USD', 47_300], ['CHF 47’300.–', 'refused'], ['0', 0], ['2,00', 2], ['-', null],
      ['2900/mês', 'refused'], ['47k', 'refused'], ['47K€', 'refused'], ['47 MIL', 'refused'], ['(1,300.00)', 'refused'], ['47300-', 'refused'], ['12 x 4000', 'refused'],
      ['47.300,00 €/Jahr', 'refused'],
    ],
  },
  {
    title: 'the same with a point, where nothing else shows it',
    ...{ header: 'Salary', field: 'salary', delimiter: ';', answers: { decimal: 'point' } },
    cells: [['USD 47,300', 47_300], ['£47,300', 47_300], ['$2,900', 2900], ['39000', 39_000]],
  },
  {
    title: 'round amounts with thousands, of which one shows what the point is',
    ...{ header: 'Salário', field: 'salary', delimiter: ';' },
    cells: [['2.900', 2900], ['4.600', 4600], ['13.000', 13_000], ['47.300', 47_300], ['1.950', 1950], ['3.475', 3475], ['88.120', 88_120]],
  },
  {
    title: 'a decimal comma in a file of commas',
    ...{ header: 'Salary', field: 'salary', delimiter: ',' },
    cells: [['47300,50', 47_300.5], ['2900,00', 2900]],
  },
  {
    title: 'addresses as mail programs write them',
    ...{ header: 'E-mail', field: 'email', delimiter: ';' },
    cells: [
      [' EVA.CELL@CELLS.EXAMPLE ', 'EVA.CELL@CELLS.EXAMPLE'], ['\u200bana.cell@cells.example', 'ana.cell@cells.example'],
      ['mailto:rui@cells.example', 'refused'], ['Rui Reis <rui@cells.example>', 'refused'], ['a@cells.example, b@cells.example', 'refused'],
      ['não tem', 'refused'], ['-', 'refused'], ['rui@cells.example.', 'refused'], ['rúi@cells.example', 'refused'], ['rui @cells.example', 'refused'],
    ],
  },
  {
    title: 'words for nothing, and what spreadsheets show for errors',
    ...{ header: 'Location', field: 'location', delimiter: ',' },
    cells: [
      ...['NULL', 'NA', 'nan', 'None', '\\N', '-', 'N/A', '(null)', 'n/d'].map((word) => [word, null] as const),
      ...['#N/A', '#REF!', '#¡VALOR!', '#NOME?', '#NV', '#N/D', '#####'].map((word) => [word, 'refused'] as const),
      ['0', '0'], ['Nantes', 'Nantes'],
    ],
  },
  {
    title: 'names in every script, and with signs in front',
    ...{ header: 'Name', field: 'name', delimiter: ',' },
    cells: [['عمر حسن', 'عمر حسن'], ['王小明', '王小明'], ['Nguyễn Thị Mai', 'Nguyễn Thị Mai'], ["'=Eva", '=Eva'], ["'-Eva", '-Eva'], ["'Eva", "'Eva"], ['Eva 🌻', 'Eva 🌻']],
  },
]; // biome-ignore format: a table
