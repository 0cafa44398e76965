/** Compares our reading of a workbook with those of other readers, cell by cell. */
import { serialOfIso } from '../../../src/platform/sheets/cells/dates.ts';
import type { OurCell, OurSheet } from './own-reader.ts';
import { cellName, type FoundSheet, positionOf, type Value } from './table.ts';

export interface Difference {
  sheet: string;
  /** Spreadsheet notation. */
  cell: string;
  peer: string;
  format: string;
  ours: OurCell | undefined;
  theirs: Value | undefined;
  /** How many independent readers of this format agree with ours, and how many do not. */
  withUs: number;
  againstUs: number;
}

export interface Peers {
  /** Keyed by reader. */
  [peer: string]: FoundSheet[];
}

/** Our reader uses the package xlsx for these formats, so agreement with it proves nothing. */
const readByXlsx = /^(xls|xlsb|ods)$/;

/** @returns the differences, and the number of cells compared with at least one other reader */
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
    const positions = new Set([...ours.keys(), ...theirs.flatMap(({ cells }) => [...cells.keys()])]);
    cells += positions.size;
    for (const position of positions) {
      const our = ours.get(position);
      const comparisons = theirs.map(({ peer, cells }) => ({
        peer,
        theirs: cells.get(position),
        agrees: agree(our, cells.get(position)),
      }));
      const independent = comparisons.filter(({ peer }) => peer !== 'xlsx' || !readByXlsx.test(format));
      const withUs = independent.filter(({ agrees }) => agrees).length;
      const againstUs = independent.length - withUs;
      for (const { peer, theirs, agrees } of comparisons) {
        if (agrees) continue;
        found.push({ sheet: name, cell: cellName(position), peer, format, ours: our, theirs, withUs, againstUs });
      }
    }
  }
  return { found, cells };
}

function cellsOf({ cells }: FoundSheet): Map<number, Value> {
  return new Map(cells.map(([row, column, ...value]) => [positionOf(row, column), value]));
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

/** A formula without a cached value. */
function isEmptyFormula(ours: OurCell | undefined): boolean {
  return ours !== undefined && 'problem' in ours && ours.problem.code === 'formula' && ours.problem.text === '';
}

/** @param text the raw text of a cell that we reject */
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

/** To 15 digits, the precision of Excel. */
function isSameNumber(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-14 * Math.max(Math.abs(a), Math.abs(b));
}

/** To the millisecond, because a serial date has 15 digits. */
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
