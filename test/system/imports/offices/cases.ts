/** Ten real-world office files and their people. */
import { byPandas, inWindows1252, saved, withLeftoverLink } from './workbooks.ts';

interface OfficeFile {
  /** The file name; emails of its people end in `@<key>.example`. */
  filename: string;
  key: string;
  /** Special features of the file. */
  about: string;
  make: () => Buffer | Promise<Buffer>;
  /** Answers to questions that only a person can answer. */
  answers?: Record<string, string>;
  /** Expected in the dry run. */
  header_row: number;
  warnings: string[];
  /** In the format of the API, by name. */
  people: Record<string, string | number | null | object>[];
}

/** Serial dates. */
const day = { '2019-07-15': 43_661, '2023-11-06': 45_236, '2024-02-29': 45_351 };
/** Difference in days when counting from 1904. */
const later = 1_462;

export const officeFiles: OfficeFile[] = [
  {
    filename: 'quadro.xlsx',
    key: 'title',
    about: 'a title in merged cells, a date and an empty row above the headers',
    make: () =>
      saved({
        kind: 'xlsx',
        merged: ['A1:F1'],
        rows: [
          ['Quadro de funcionários'],
          ['Atualizado em', { v: day['2024-02-29'], z: 'dd/mm/yyyy' }],
          [],
          ['Nome', 'E-mail', 'Cargo', 'Departamento', 'Data de admissão', 'Salário anual'],
          ['Zélia Prado', 'zelia@title.example', 'Motorista', 'Frota', { v: day['2019-07-15'], z: 'dd/mm/yyyy' }, 48_000],
          ['João Conceição', 'joao@title.example', 'Planejador', 'Operações', { v: day['2024-02-29'], z: 'dd/mm/yyyy' }, { v: 52_000.5, z: '#,##0.00' }],
        ],
      }),
    header_row: 4,
    warnings: ['rows_left_out'],
    people: [
      { name: 'Zélia Prado', position: 'Motorista', department: 'Frota', hire_date: '2019-07-15', salary: 48_000 },
      { name: 'João Conceição', position: 'Planejador', department: 'Operações', hire_date: '2024-02-29', salary: 52_000.5 },
    ],
  },
  {
    filename: 'equipe 2026.xlsx',
    key: 'links',
    about: 'a link to another workbook that no cell uses',
    make: () =>
      withLeftoverLink(
        saved({
          kind: 'xlsx',
          rows: [
            ['Nome completo', 'E-mail corporativo', 'Função', 'Setor', 'Matrícula'],
            ['Inês Duarte', 'ines@links.example', 'Analista', 'RH', '00417'],
            ['Caio Lima', 'caio@links.example', 'Técnico', 'Oficina', '00418'],
          ],
        }),
      ),
    header_row: 1,
    warnings: [],
    people: [
      { name: 'Inês Duarte', position: 'Analista', department: 'RH', employee_number: '00417' },
      { name: 'Caio Lima', position: 'Técnico', department: 'Oficina', employee_number: '00418' },
    ],
  },
  {
    filename: 'hires.csv',
    key: 'dates',
    about: 'dates as text with the month first, a name with the family name first, and Windows line breaks',
    make: () =>
      Buffer.from(
        [
          '\ufeffEmployee name,Email address,Job title,Department,Start date,Annual salary',
          '"Park, Sue",sue@dates.example,Driver,Fleet,3/4/2024,"68,400.00"',
          'Will Stone,will@dates.example,"Planner, senior",Operations,11/26/2023,"1,051,200.50"',
          '',
        ].join('\r\n'),
      ),
    answers: { name_order: 'family_first' },
    header_row: 1,
    warnings: ['names_turned', 'date_order'],
    people: [
      { name: 'Sue Park', position: 'Driver', department: 'Fleet', hire_date: '2024-03-04', salary: 68_400 },
      { name: 'Will Stone', position: 'Planner, senior', department: 'Operations', hire_date: '2023-11-26', salary: 1_051_200.5 },
    ],
  },
  {
    filename: 'Mitarbeiter.csv',
    key: 'cp1252',
    about: 'semicolons, the encoding cp1252, and German dates and amounts',
    make: () =>
      inWindows1252([
        'Vor- und Nachname;E-Mail-Adresse;Stellenbezeichnung;Abteilung;Eintrittsdatum;Jahresgehalt;Personal-Nr.',
        'Jürgen Groß;juergen@cp1252.example;Fahrer;Fuhrpark Süd;29.02.2024;48.000,50;000417',
        'Änne Müller-Lüdenscheidt;aenne@cp1252.example;Geschäftsführerin;Büro;01.07.2019;1.120.000,00;000418',
      ]),
    header_row: 1,
    warnings: ['date_order'],
    people: [
      { name: 'Jürgen Groß', position: 'Fahrer', department: 'Fuhrpark Süd', hire_date: '2024-02-29', salary: 48_000.5, employee_number: '000417' },
      { name: 'Änne Müller-Lüdenscheidt', position: 'Geschäftsführerin', department: 'Büro', hire_date: '2019-07-01', salary: 1_120_000 },
    ],
  },
  {
    filename: 'Staff (old Mac).xlsx',
    key: 'mac',
    about: 'dates counted from 1904, one of them without a date format',
    make: () =>
      saved({
        kind: 'xlsx',
        from1904: true,
        rows: [
          ['Name', 'Email', 'Position', 'Department', 'Hire date'],
          ['Ruth Abel', 'ruth@mac.example', 'Driver', 'Fleet', { v: day['2019-07-15'] - later, z: 'yyyy-mm-dd' }],
          ['Olu Bankole', 'olu@mac.example', 'Planner', 'Operations', { v: day['2024-02-29'] - later, z: 'm/d/yy' }],
          ['Kit Moss', 'kit@mac.example', 'Planner', 'Operations', day['2023-11-06'] - later],
        ],
      }),
    header_row: 1,
    warnings: ['serial_dates'],
    people: [
      { name: 'Ruth Abel', hire_date: '2019-07-15' },
      { name: 'Olu Bankole', hire_date: '2024-02-29' },
      { name: 'Kit Moss', hire_date: '2023-11-06' },
    ],
  },
  {
    filename: 'contacts.xlsx',
    key: 'merged',
    about: 'headers in two rows with merged cells, and a row of units',
    make: () =>
      saved({
        kind: 'xlsx',
        merged: ['A1:A2', 'B1:B2', 'C1:D1', 'E1:E2', 'F1:H1'],
        rows: [
          ['Name', 'Email', 'Job', null, 'Hire date', 'Emergency contact'],
          [null, null, 'Position', 'Department', null, 'Name', 'Phone', 'Relationship'],
          ['(text)', '(text)', '(text)', '(text)', 'yyyy-mm-dd', '(text)', null, 'optional'],
          ['Mia Holt', 'mia@merged.example', 'Driver', 'Fleet', { v: day['2019-07-15'], z: 'yyyy-mm-dd' }, 'Sam Holt', '+44 20 7946 0018', 'Brother'],
          ['Dev Rao', 'dev@merged.example', 'Planner', 'Operations', { v: day['2023-11-06'], z: 'yyyy-mm-dd' }, 'Uma Rao', '+44 20 7946 0019'],
        ],
      }),
    header_row: 2,
    warnings: ['rows_left_out'],
    people: [
      { name: 'Mia Holt', position: 'Driver', department: 'Fleet', hire_date: '2019-07-15', emergency_contact: { name: 'Sam Holt', phone: '+44 20 7946 0018', relationship: 'Brother' } },
      { name: 'Dev Rao', position: 'Planner', hire_date: '2023-11-06', emergency_contact: { name: 'Uma Rao', phone: '+44 20 7946 0019' } },
    ],
  },
  {
    filename: 'PLANTILLA.XLS',
    key: 'xls',
    about: 'an Excel 97 workbook with numbers that a format pads with zeros',
    make: () =>
      saved({
        kind: 'xls',
        rows: [
          ['Nombre y apellidos', 'Correo electrónico', 'Puesto', 'Departamento', 'Fecha de ingreso', 'N.º de empleado', 'Teléfono'],
          ['Begoña Ruiz', 'begona@xls.example', 'Conductora', 'Flota', { v: day['2019-07-15'], z: 'dd/mm/yyyy' }, { v: 42, z: '00000' }, 34_600_112_233],
          ['Íñigo Peña', 'inigo@xls.example', 'Analista', 'Datos', { v: day['2024-02-29'], z: 'd-mmm-yy' }, { v: 43, z: '00000' }, null],
        ],
      }),
    header_row: 1,
    warnings: [],
    people: [
      { name: 'Begoña Ruiz', position: 'Conductora', hire_date: '2019-07-15', employee_number: '00042', phone: '34600112233' },
      { name: 'Íñigo Peña', position: 'Analista', hire_date: '2024-02-29', employee_number: '00043' },
    ],
  },
  {
    filename: 'effectif.ods',
    key: 'ods',
    about: 'a French LibreOffice table with a title, and dates as text with month names',
    make: () =>
      saved({
        kind: 'ods',
        rows: [
          ['Effectif au 1er mars'],
          ['Nom et prénom', 'Courriel', 'Poste', 'Service', "Date d'embauche", 'Lieu de travail'],
          ['Zoé Lefèvre', 'zoe@ods.example', 'Chauffeuse', 'Flotte', '1er août 2023', 'Évry'],
          ['Loïc Müller', 'loic@ods.example', 'Planificateur', 'Opérations', { v: day['2024-02-29'], z: 'dd/mm/yyyy' }, 'Lyon'],
        ],
      }),
    header_row: 2,
    warnings: ['rows_left_out'],
    people: [
      { name: 'Zoé Lefèvre', department: 'Flotte', hire_date: '2023-08-01', location: 'Évry' },
      { name: 'Loïc Müller', department: 'Opérations', hire_date: '2024-02-29', location: 'Lyon' },
    ],
  },
  {
    filename: 'Arbeitszeiten.xlsx',
    key: 'percent',
    about: 'percentages in a text column, and spaces around texts',
    make: () =>
      saved({
        kind: 'xlsx',
        rows: [
          ['Name ', ' E-Mail', 'Stelle', 'Abteilung', 'Arbeitszeit'],
          [' Nina Kern', 'nina@percent.example ', 'Fahrerin\u00a0', 'Fuhrpark', { v: 0.5, z: '0%' }],
          ['Olaf Bär', '\u00a0olaf@percent.example', 'Planer', 'Betrieb', { v: 0.875, z: '0.0%' }],
          ['Pia Roth', 'pia@percent.example', 'Planerin', 'Betrieb', '100%'],
        ],
      }),
    header_row: 1,
    warnings: [],
    people: [
      { name: 'Nina Kern', position: 'Fahrerin', work_schedule: '50%' },
      { name: 'Olaf Bär', position: 'Planer', work_schedule: '87.5%' },
      { name: 'Pia Roth', work_schedule: '100%' },
    ],
  },
  {
    filename: 'people_clean.xlsx',
    key: 'pandas',
    about: 'written by pandas, with an index column, and times after the dates',
    make: byPandas,
    header_row: 1,
    warnings: ['column_left_out'],
    people: [
      { name: 'Priya Nair', position: 'Data Analyst', hire_date: '2024-02-29', salary: 68_400 },
      { name: 'Tom Okafor', position: 'Driver', hire_date: '2023-11-06', salary: 41_250.5 },
      { name: 'Lena Vogt', position: 'Planner', hire_date: null, salary: null },
    ],
  },
]; // biome-ignore format: a table
