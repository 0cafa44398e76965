/** Holds what we read of a workbook against what other readers do, cell by cell. */
import { serialOfIso } from '../../../src/platform/sheets/cells/dates.ts';
import type { OurCell, OurSheet } from './ours.ts';
import { type FoundSheet, placeName, placeOf, type Value } from './table.ts';

export interface Difference {
  sheet: string;
  /** As a spreadsheet program shows it. */
  cell: string;
  /** Who says something else. */
  peer: string;
  format: string;
  ours: OurCell | undefined;
  theirs: Value | undefined;
  /** Of the other readers that are independent of ours for this format: how many say what we do, and how many do not. */
  withUs: number;
  againstUs: number;
}

export interface Peers {
  /** By the reader's name. */
  [peer: string]: FoundSheet[];
}

/** Our reader leaves the cells of these formats to the package xlsx, so that it proves nothing of them. */
const readByXlsx = /^(xls|xlsb|ods)$/;

/** @returns what is different, and how many cells were held against at least one other reader */
export function differences(
  format: string,
  sheets: readonly OurSheet[],
  peers: Peers,
): { found: Difference[]; cells: number } {
  const found: Difference[] = [];
  let cells = 0;
  for (const { name, cells: ours } of sheets) {
    const theirs = Object.entries(peers).flatMap(([peer, sheets]) => {
      const sheet = sheets.find((sheet) => sheet.name === name);
      return sheet ? [{ peer, cells: cellsOf(sheet) }] : [];
    });
    if (theirs.length === 0) continue;
    const places = new Set([...ours.keys(), ...theirs.flatMap(({ cells }) => [...cells.keys()])]);
    cells += places.size;
    for (const place of places) {
      const our = ours.get(place);
      const judged = theirs.map(({ peer, cells }) => ({
        peer,
        theirs: cells.get(place),
        agrees: agree(our, cells.get(place)),
      }));
      const independent = judged.filter(({ peer }) => peer !== 'xlsx' || !readByXlsx.test(format));
      const withUs = independent.filter(({ agrees }) => agrees).length;
      const againstUs = independent.length - withUs;
      for (const { peer, theirs, agrees } of judged) {
        if (agrees) continue;
        found.push({ sheet: name, cell: placeName(place), peer, format, ours: our, theirs, withUs, againstUs });
      }
    }
  }
  return { found, cells };
}

function cellsOf({ cells }: FoundSheet): Map<number, Value> {
  return new Map(cells.map(([row, column, ...value]) => [placeOf(row, column), value]));
}

function agree(ours: OurCell | undefined, theirs: Value | undefined): boolean {
  if (!ours || !theirs) return !ours === !theirs || (isEmptyFormula(ours) && !theirs);
  const [kind, their] = theirs;
  if ('problem' in ours && ours.problem.code === 'not_finite') return kind === 'error';
  if ('problem' in ours) return agreesWithProblem(ours.problem.text, theirs);
  const { value } = ours;
  switch (kind) {
    case 'number':
      return typeof value === 'number' && isSameNumber(value, their);
    case 'date':
      return typeof value === 'string' && isSameTime(value, their);
    default:
      return value === their;
  }
}

/** A formula that was never calculated. */
function isEmptyFormula(ours: OurCell | undefined): boolean {
  return ours !== undefined && 'problem' in ours && ours.problem.code === 'formula' && ours.problem.text === '';
}

/** @param text of a cell that is no data for us, as it stands in the file */
function agreesWithProblem(text: string, [kind, their]: Value): boolean {
  switch (kind) {
    case 'number':
      return text !== '' && isSameNumber(Number(text), their);
    case 'boolean':
      return text === String(Number(their)) || text === String(their);
    case 'date':
    case 'duration':
      return text !== '' && (Number.isFinite(Number(text)) || isSameTime(text, String(their)));
    default:
      return text === their;
  }
}

/** To the 15 digits that Excel means. */
function isSameNumber(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-14 * Math.max(Math.abs(a), Math.abs(b));
}

/** To the millisecond: a day is divided in a number with 15 digits. */
function isSameTime(a: string, b: string): boolean {
  return a === b || Math.abs(msOf(a) - msOf(b)) <= 1.5;
}

/** @param iso a date, a time, or both */
function msOf(iso: string): number {
  const [, date, hours = 0, minutes = 0, seconds = 0] = isoText.exec(iso) ?? [];
  const day = date === undefined ? 0 : (serialOfIso(date) ?? Number.NaN);
  return day * 86_400_000 + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

const isoText = /^(\d{4}-\d\d-\d\d)?T?(?:(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?Z?)?$/;
