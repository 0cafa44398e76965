/** Column headers in each language: every name is recognized, and means one field. */
import { readFileSync } from 'node:fs';

import { plainName } from '../../../src/platform/sheets/headers/header-names.ts';
import { matchHeaders } from '../../../src/platform/sheets/headers/headers.ts';
import { columnHeaders } from '../../../src/product/collaborators/column-headers.ts';
import { columnNames } from '../../../src/product/collaborators/fields/column-names.ts';
import { importColumns } from '../../../src/product/collaborators/fields/sheet-columns.ts';
import { allFields as fields } from '../../../src/product/imports/rows/columns/import-fields.ts';

test('a name means one field', () => {
  const keys = new Map<string, Set<string>>();
  for (const { key, aliases = [] } of fields) {
    for (const name of [key, ...aliases]) {
      keys.set(plainName(name), (keys.get(plainName(name)) ?? new Set()).add(key));
    }
  }
  expect([...keys].filter(([, meant]) => meant.size > 1)).toEqual([]);
});

const languages = ['en', 'pt', 'es', 'de', 'fr'] as const;

test.each([
  ['en', ['Email', 'Email address'], ['Last day', 'Termination date']],
  ['pt', ['E-mail', 'Endereço de e-mail'], ['Último dia', 'Data de desligamento']],
  ['es', ['Correo electrónico', 'Dirección de correo'], ['Último día', 'Fecha de baja']],
] as const)('recognizes all the names that we have for a field in %s', (language, emails, lastDays) => {
  expect(columnHeaders.email.translate(language)).toBe(emails[0]);
  expect(columnHeaders.termination_date.translate(language)).toBe(lastDays[0]);
  const match = (header: string) => matchHeaders([header], fields);
  for (const header of emails) expect(match(header)).toMatchObject({ keys: ['email'], guessed: new Map() });
  for (const header of lastDays)
    expect(match(header)).toMatchObject({ keys: ['termination_date'], guessed: new Map() });
});

test.each(languages)('every field has a name in %s, also recognized in upper case and without accents', (language) => {
  for (const { key } of importColumns) {
    const names = columnNames[key][language];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const bare = name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
      for (const header of [name, bare, ` ${name} *`]) {
        const match = matchHeaders([header], fields);
        expect([header, match.keys[0]]).toEqual([header, key]);
        expect(match.guessed.size).toBe(0);
      }
    }
  }
});

const typical: [string, string[]][] = [
  [
    'en',
    [
      'Employee name',
      'Work email',
      'Job title',
      'Department',
      'Mobile',
      'Start date',
      'End date',
      'Employee ID',
      'Site',
    ],
  ],
  [
    'pt',
    [
      'Nome completo',
      'E-mail',
      'Cargo',
      'Setor',
      'Celular',
      'Data de admissão',
      'Data de desligamento',
      'Matrícula',
      'Unidade',
    ],
  ],
  [
    'es',
    [
      'Nombre',
      'Correo electrónico',
      'Puesto',
      'Departamento',
      'Móvil',
      'Fecha de ingreso',
      'Fecha de baja',
      'Legajo',
      'Sede',
    ],
  ],
  [
    'de',
    [
      'Vor- und Nachname',
      'E-Mail-Adresse',
      'Stelle',
      'Abteilung',
      'Handy',
      'Eintrittsdatum',
      'Austritt',
      'Personal-Nr.',
      'Standort',
    ],
  ],
  [
    'fr',
    [
      'Nom et prénom',
      'Courriel',
      'Poste',
      'Service',
      'Portable',
      "Date d'embauche",
      'Date de départ',
      'Matricule',
      'Lieu de travail',
    ],
  ],
];

test.each(typical)('recognizes the headers of a typical file in %s', (_, header) => {
  expect(matchHeaders(header, fields)).toMatchObject({
    keys: [
      'name',
      'email',
      'position',
      'department',
      'phone',
      'hire_date',
      'termination_date',
      'employee_number',
      'location',
    ],
    unknown: [],
    missing: [],
  });
});

const guesses: [string, string | undefined][] = [
  ['E-mail do funcionário (corporativo)', 'email'],
  ['Departmento', 'department'],
  ['Abteilnug', 'department'],
  ["Date d'embuache", 'hire_date'],
  ['Employee phone number', 'phone'],
  ['Gehalt (EUR)', 'salary'],
  ['Nome da mãe', undefined],
  ['E-mail (pessoal)', undefined],
  ['Phone (emergency)', undefined],
  ['Company name', undefined], // nor a person's in other languages
  ['Nome da empresa', undefined],
  ['Firmenname', undefined],
  ['Main number', undefined],
  ['Número de trabajo', undefined],
  ['Data de emissão', undefined],
  ['Fecha de falta', undefined],
  ['Fire date', undefined],
  ['Salário mensal', undefined],
  ['Carga', undefined], // short words must match exactly
  ['Shoe size', undefined],
  ['Person ID', undefined],
  ['#', undefined],
];

test.each(guesses)('suggests a field for %s, and uses it where guesses are allowed', (header, key) => {
  const refused = matchHeaders([header], fields);
  expect([...refused.guessed]).toEqual(key ? [[0, key]] : []);
  expect(refused).toMatchObject({ keys: [undefined], unknown: [{ column: 0, header }] });
  const accepted = matchHeaders([header], fields, {}, true);
  expect(accepted.keys).toEqual([key]);
  expect(accepted.unknown).toHaveLength(key ? 0 : 1);
});

test('a guess never competes with a known name or another guess', () => {
  expect(matchHeaders(['Department', 'Departmento'], fields, {}, true).keys).toEqual(['department', undefined]);
  expect(matchHeaders(['Departmento', 'Departement x', 'Departamentos'], fields, {}, true).guessed.size).toBe(0);
  const mapped = matchHeaders(['Departmento', 'Sector'], fields, { SECTOR: 'department' }, true);
  expect(mapped.keys).toEqual([undefined, 'department']);
});

test('the guide lists every name', () => {
  const guide = readFileSync(new URL('../../../docs/guides/import-columns.md', import.meta.url), 'utf8');
  for (const { key } of importColumns) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${key}\` `))!;
    const quoted = (name: string) => (name.includes(',') ? `\`${name}\`` : name); // one name, not two
    const cells = row.split('|').slice(2, -1);
    expect(cells.map((cell) => cell.trim())).toEqual(
      languages.map((language) => columnNames[key][language].map(quoted).join(', ')),
    );
  }
});
