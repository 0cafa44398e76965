/** Accepted reasons for reading a value differently, or rejecting it. Anything else fails the comparison. */
import { serialOfIso } from '../../../src/platform/sheets/cells/dates.ts';
import type { Difference } from './compare.ts';

interface Rule {
  name: string;
  explanation: string;
  explains(difference: Difference, file: string): boolean;
}

interface RefusalRule {
  explanation: string;
  explains(refusal: { refused: string; message: string; file: string }): boolean;
}

export const rules: readonly Rule[] = [
  {
    name: 'outvoted',
    explanation: 'of the readers that are independent of each other, ours among them, more say what we do',
    explains: ({ withUs, againstUs }) => withUs + 1 > againstUs,
  },
  {
    name: 'errors left out',
    explanation: 'calamine gives nothing for a cell with an error',
    explains: ({ peer, ours, theirs }) => peer === 'calamine' && !theirs && /^#/.test(problemText(ours) ?? ''),
  },
  {
    name: 'durations',
    explanation: 'a number with the format of a duration is a time, or a moment counted from the first day, for us',
    explains: ({ ours, theirs }) =>
      theirs?.[0] === 'duration' && secondsOf(valueOfCell(ours)).some((one) => Math.abs(one - theirs[1]) < 0.002),
  },
  {
    name: 'durations of OpenDocument',
    explanation: 'calamine gives the text of a duration of more than a day',
    explains: ({ ours, theirs }) => theirs?.[0] === 'text' && /^PT/.test(theirs[1]) && ours !== undefined,
  },
  {
    name: 'fractions of a second',
    explanation: 'a time of OpenDocument is read to the second',
    explains: ({ format, ours, theirs }) =>
      format === 'ods' && theirs?.[0] === 'date' && theirs[1].startsWith(`${valueOfCell(ours)}.`),
  },
  {
    name: 'escaped characters',
    explanation: 'openpyxl, and calamine for some characters, leave _x000D_ as it stands in the file',
    explains: ({ ours, theirs }) =>
      theirs?.[0] === 'text' && /_x[0-9a-f]{4}_/i.test(theirs[1]) && unescaped(theirs[1]) === textOf(ours),
  },
  {
    name: 'spaces at the ends',
    explanation: 'calamine takes them away where xml:space does not say that they are to be kept',
    explains: ({ peer, ours, theirs }) =>
      peer === 'calamine' && (textOf(ours) ?? '').trim() === (theirs?.[0] === 'text' ? theirs[1] : '') && !!ours,
  },
  {
    name: 'filled up digits',
    explanation: 'a number with a format such as 00000 is an id with leading zeros for us',
    explains: ({ ours, theirs }) =>
      theirs?.[0] === 'number' &&
      /^[0-9 ()+-]{2,}$/.test(textOf(ours) ?? '') &&
      Number(digits(textOf(ours))) === theirs[1],
  },
  {
    name: 'percentages',
    explanation: 'a number with a percent format is the text that people see, so that 50% is not taken for half of one',
    explains: ({ ours, theirs }) => theirs?.[0] === 'number' && isPercentage(textOf(ours), theirs[1]),
  },
  {
    name: 'the first day of 1904',
    explanation: 'the others take the day 0 of a workbook that counts from 1904 for a midnight without a day',
    explains: ({ ours, theirs }) =>
      valueOfCell(ours) === '1904-01-01' && theirs?.[0] === 'date' && theirs[1] === '00:00:00',
  },
  {
    name: 'covered cells',
    explanation: 'what stands below a merged cell of OpenDocument is not shown by any program, and is no value for us',
    explains: ({ ours, theirs }, file) =>
      /(covered|fdo74824|HiddenMergeCellsTest|issue\.4528|tdf88782_\w+|tdf132057|tdf68290)\.ods$/.test(file) &&
      !ours &&
      !!theirs,
  },
  {
    name: 'white space of OpenDocument',
    explanation:
      'any amount of it is one space, and none at the ends of a paragraph, as the standard has it; calamine keeps it',
    explains: ({ format, ours, theirs }) =>
      format === 'ods' && theirs?.[0] === 'text' && collapsed(theirs[1]) === collapsed(textOf(ours)),
  },
  {
    name: 'pronunciations',
    explanation: 'how a text is pronounced stands above it, and is no part of it',
    explains: (_, file) => file.endsWith('tdf129940.ods'),
  },
  {
    name: 'booleans that are none',
    explanation: 'the standard has true and false; calamine takes -1 for false, though its text says the other',
    explains: (_, file) => file.endsWith('tdf137621_autofillMergedBool.ods'),
  },
  {
    name: 'dates of xlsb',
    explanation: 'calamine does not know every format that is a date; the number is the same',
    explains: ({ format, ours, theirs }) =>
      format === 'xlsb' && theirs?.[0] === 'number' && serialOfIso(String(valueOfCell(ours))) === theirs[1],
  },
  {
    name: 'results of formulas with a type of their own',
    explanation: 'the text of a formula is in <v>, whatever the type of the cell says; the others look elsewhere',
    explains: (_, file) => file.endsWith('52575_main.xlsx'),
  },
  {
    name: 'types that are none',
    explanation: 'calamine gives nothing for a cell of a type that the standard does not have; its text is there',
    explains: ({ ours, theirs }, file) => file.endsWith('unknown_value_type.ods') && !!ours && !theirs,
  },
  {
    name: 'apostrophes',
    explanation: 'an apostrophe before the start of a formula is removed, as exports add it',
    explains: ({ ours, theirs }) => theirs?.[0] === 'text' && theirs[1] === `'${textOf(ours)}`,
  },
];

export const refusals: readonly RefusalRule[] = [
  {
    explanation: 'rejected by design, with a message: macros, a password, links to other files',
    explains: ({ refused }) => ['macros', 'password_protected', 'external_links'].includes(refused),
  },
  {
    explanation: 'Excel 95 and earlier: Excel itself opens them only if its settings allow it',
    explains: ({ refused, file }) =>
      refused === 'legacy_workbook' ||
      /(tdf72470|testEXCEL_[34]|CRLFR9_4|CRLFX5_[234]|biff4_no_format_no_window2)\.xls$/i.test(file),
  },
  {
    explanation: 'a document type can name other files and expand without limit; no current program writes one',
    explains: ({ message }) => message.includes('document type'),
  },
  {
    explanation: 'more columns than a sheet can have, or more characters than a cell can',
    explains: ({ refused }) => refused === 'too_many_columns' || refused === 'cell_too_long',
  },
  {
    explanation: 'there is no sheet with cells in it',
    explains: ({ refused, file }) =>
      refused === 'no_sheet' && /(tdf107586|BadWorkbook|soffice)\.(xlsx|ods)$/.test(file),
  },
  {
    explanation: 'was damaged on purpose, or written by a program before its format was decided',
    explains: ({ file }) => /(crash-1\.xls|sample-beta\.xlsx)$/.test(file),
  },
];

function valueOfCell(ours: Difference['ours']): unknown {
  return ours && 'value' in ours ? ours.value : undefined;
}

function problemText(ours: Difference['ours']): string | undefined {
  return ours && 'problem' in ours ? ours.problem.text : undefined;
}

function textOf(ours: Difference['ours']): string | undefined {
  const value = valueOfCell(ours) ?? problemText(ours);
  return typeof value === 'string' ? value : undefined;
}

function digits(text: string | undefined): string {
  return (text ?? '').replace(/\D/g, '');
}

function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** To 12 digits, because one of the two was multiplied. */
function isPercentage(text: string | undefined, share: number): boolean {
  if (!text?.endsWith('%')) return false;
  return Math.abs(Number(text.slice(0, -1)) / 100 - share) <= 1e-12 * Math.max(1, Math.abs(share));
}

function collapsed(text: string | undefined): string {
  return (text ?? '').replace(/[ \t\r\n]+/g, ' ').trim();
}

/** @returns possible durations of a time or date: since day 0 of either date system */
function secondsOf(value: unknown): number[] {
  const [, date, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)?T?([\d:.]+)?$/.exec(String(value ?? '')) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const ofDay = (hours * 60 + minutes) * 60 + seconds;
  if (date === undefined) return [ofDay];
  const days = serialOfIso(date) ?? 0;
  return [days, days - 1_462].map((day) => day * 86_400 + ofDay);
}
