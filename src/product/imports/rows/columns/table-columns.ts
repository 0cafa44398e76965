/** Maps the columns of a file to fields, and reports errors of the headers. */

import { type Text, t } from '../../../../contract/languages/text.ts';
import type { CompanyFields } from '../../../../identity/members/company-fields.ts';
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import { findHeaderRow, type HeaderRow } from '../../../../platform/sheets/headers/header-row.ts';
import { type HeaderMatch, headerMeaning, matchHeaders } from '../../../../platform/sheets/headers/headers.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import { type MatchField, matchFields } from '../../../collaborators/fields/match.ts';
import type { ImportRow } from '../../state/find-import.ts';
import type { AnswerableError } from '../../state/questions.ts';
import { valueExcerpt } from '../../state/row-errors.ts';
import type { ImportWarning } from '../../state/warnings.ts';
import {
  customHeaderFields,
  fieldsNamed,
  isCustomField,
  isWritable,
  severalFields,
  targetError,
} from './custom-field-columns.ts';
import { layoutHeaders, layoutOf, type Mapping, mappingOf, withoutMapped } from './detect-layout.ts';
import {
  fieldsFor,
  halves,
  isImported,
  isTableField,
  labelOf,
  managerFields,
  mayBe,
  meaning,
  type TableField,
} from './import-fields.ts';
import { type NameColumns, nameColumns } from './split-names.ts';
import type { Layout } from './tool-layouts.ts';

const maxHeader = 200;
export const maxQuote = 60;
export const maxQuotes = 5;

type ColumnSettings = Pick<
  ImportRow,
  'mode' | 'match_by' | 'mapping' | 'unknown_columns' | 'dry_run' | 'committed_at'
> & {
  fields: CompanyFields;
};

/** Committing a dry run confirms how its columns were interpreted. */
export function isConfirmed({
  dry_run: dryRun,
  committed_at: committedAt,
}: Pick<ImportRow, 'dry_run' | 'committed_at'>) {
  return dryRun || committedAt !== null;
}

export function headerOf(head: readonly Row[], { mode, mapping, fields }: ColumnSettings): HeaderRow | undefined {
  const requestedMapping = mapping as Mapping;
  const meaningOf = headerMeaning(fieldsFor(mode, fields), requestedMapping);
  const header = findHeaderRow(head, (name, roughly) => meaningOf(name, roughly) ?? layoutHeaders.get(plainName(name)));
  if (!header) return undefined;
  const [first, ...others] = header.cells;
  return isNoName(first) && !(String(first) in requestedMapping) ? { ...header, cells: [null, ...others] } : header;
}

/** Pandas' name for an index column written without a header and read again. */
function isNoName(header: Cell | undefined): boolean {
  return /^unnamed: ?0$/i.test(String(header));
}

export class TableColumns {
  readonly header: HeaderRow;
  readonly layout: Layout | undefined;
  /** The field of each column, zero-based; undefined for ignored ones. */
  readonly keys: readonly (TableField | undefined)[];
  readonly fieldColumns: ReadonlyMap<TableField, number>;
  readonly names: NameColumns;
  /** Columns of sensitive fields, including archived ones, whose values aren't stored. */
  readonly sensitive: readonly number[];
  readonly #settings: ColumnSettings;
  readonly #mapping: Mapping;
  readonly #match: HeaderMatch;

  constructor(header: HeaderRow, settings: ColumnSettings) {
    this.header = header;
    this.#settings = settings;
    const { mode, match_by: matchBy, mapping, fields } = settings;
    this.#mapping = mapping as Mapping;
    this.layout = layoutOf(header.cells);
    const known = this.layout ? withoutMapped(mappingOf(this.layout, header.cells), this.#mapping) : {};
    this.#match = matchHeaders(
      header.cells,
      fieldsFor(mode, fields),
      { ...known, ...this.#mapping },
      isConfirmed(settings),
    );
    this.names = nameColumns(this.header.cells, this.#match.all, this.#mapping);
    const isMatched = mode === 'upsert' && (matchBy === null || matchBy === 'id');
    const has = (key: TableField) => this.#match.columns.has(key);
    this.keys = this.#match.keys.map((key, column) => {
      if (this.names.parts.includes(column)) return key as TableField;
      if (key === 'given_name' || key === 'family_name') return undefined; // a part without its other half
      // Use one column per manager, addresses first: ids of another company would make rows fail.
      if (key === 'manager_id' && has('manager_email')) return undefined;
      if (key === 'manager_employee_number' && (has('manager_email') || has('manager_id'))) return undefined;
      if (key === 'manager' && managerFields.some((field) => field !== 'manager' && has(field))) return undefined;
      if (isCustomField(key)) return isWritable(fields, key) ? key : undefined;
      return isTableField(key) || (key === 'id' && isMatched) ? key : undefined;
    });
    this.fieldColumns = new Map(this.keys.flatMap((key, column) => (key === undefined ? [] : [[key, column]])));
    const sensitive = headerMeaning(customHeaderFields(fields.all.filter((field) => field.sensitive)));
    this.sensitive = header.cells.flatMap((cell, column) =>
      this.keys[column] === undefined && cell !== null && sensitive(String(cell), false) ? [column] : [],
    );
  }

  get unknown(): number[] {
    return this.#match.unknown.flatMap(({ column }) => (this.keys[column] === undefined ? [column] : []));
  }

  isGuessed(column: number): boolean {
    return this.keys[column] !== undefined && this.#match.guessed.has(column);
  }

  /** If there are any, no row is checked. @param areAlike whether two columns are equal in every row, or the second is empty */
  errors(samples: Samples, areAlike: (a: number, b: number) => boolean): AnswerableError[] {
    const { absent, missing } = this.#match;
    const { row } = this.header;
    const hasName = this.names.parts.length > 0;
    const required = missing.filter((key) => key !== 'name' || !hasName);
    return [
      ...this.#doubled(samples, areAlike),
      ...(this.#ignoresUnknown ? [] : [...this.#unknown(), ...this.#ambiguous()]),
      ...[...required, ...this.#missingKey()].map((key): AnswerableError => {
        const message = t`There is no column for ${key}.`;
        const error = { row, column: null, field: key, code: 'required', message } as const;
        const question = this.#columnQuestion(key as TableField, samples);
        return question ? { ...error, question } : error;
      }),
      ...absent.map((header): AnswerableError => {
        const message = t`\`mapping\` names the header “${excerpt(header, maxHeader)}”, which the file does not have.`;
        return { row, column: null, field: null, code: 'not_found', message };
      }),
      ...this.#targets(),
    ];
  }

  /** Errors for fields in `mapping` that have been archived or deleted since. */
  #targets(): AnswerableError[] {
    return this.#match.keys.flatMap((key, column): AnswerableError[] => {
      const error = isCustomField(key) && !this.sensitive.includes(column) && targetError(this.#settings.fields, key);
      return error ? [{ ...this.locationOf(column), field: key, ...error } as AnswerableError] : [];
    });
  }

  warnings(): ImportWarning[] {
    const warnings: ImportWarning[] = [];
    if (this.layout) {
      const message = t`This looks like a file from ${this.layout.name}, so its columns are read accordingly.`;
      warnings.push({ code: 'known_layout', message, column: null });
    }
    const { unknown } = this.#match;
    const warnIgnored = (columns: readonly number[], message: (list: string) => Text) => {
      if (columns.length === 0) return;
      const names = columns.slice(0, maxQuotes).map((at) => `“${excerpt(String(this.header.cells[at]), maxQuote)}”`);
      const list = `${names.join(', ')}${columns.length > maxQuotes ? ' …' : ''}`;
      warnings.push({ code: 'columns_left_out', message: message(list), column: columnLetter(columns[0]!) });
    };
    if (this.#ignoresUnknown) {
      const columns = unknown.map(({ column }) => column);
      warnIgnored(columns, (list) => t`Columns that match no field are ignored: ${list}`);
      const several = this.#match.all.get(severalFields) ?? [];
      warnIgnored(
        several.filter((column) => !this.sensitive.includes(column)),
        (list) => t`These columns are ignored, because several fields have their name: ${list}`,
      );
    }
    warnIgnored(
      this.sensitive,
      (list) => t`An import can't write sensitive fields. These columns are ignored: ${list}`,
    );
    const half = this.#ignoredHalfName();
    if (half !== undefined) {
      const header = headerExcerpt(this.header.cells[half] ?? '');
      const message = t`“${header}” is only half of the name and is ignored: the other half is used as the name.`;
      warnings.push({ code: 'half_name', message, column: columnLetter(half) });
    }
    return warnings;
  }

  locationOf(column: number): Pick<AnswerableError, 'row' | 'column' | 'value'> {
    return { row: this.header.row, column: columnLetter(column), value: valueExcerpt(this.header.cells[column]) };
  }

  /** Whether unmapped columns are ignored, by the request or a confirmed dry run. */
  get #ignoresUnknown(): boolean {
    const { unknown_columns: unknownColumns } = this.#settings;
    return unknownColumns === null ? isConfirmed(this.#settings) : unknownColumns === 'ignore';
  }

  /** A name part that the mapping ignores although another column was taken for the full name. */
  #ignoredHalfName(): number | undefined {
    const { name, parts } = this.names;
    if (name === undefined || parts.length > 0 || !halves.has(plainName(String(this.header.cells[name]))))
      return undefined;
    const at = this.header.cells.findIndex((cell, column) => {
      const key = cell === null ? undefined : meaning(String(cell), false);
      return this.keys[column] === undefined && (key === 'given_name' || key === 'family_name');
    });
    return at < 0 ? undefined : at;
  }

  #doubled(samples: Samples, areAlike: (a: number, b: number) => boolean): AnswerableError[] {
    return this.#match.doubled.flatMap(({ column, key, first }): AnswerableError[] => {
      if (this.names.parts.includes(column) || key === 'given_name' || key === 'family_name') return [];
      if (!isTableField(key) || areAlike(first, column)) return [];
      const message = t`Column ${columnLetter(first)} is already ${key}.`;
      const field = isImported(key) ? key : null;
      const error = { ...this.locationOf(column), field, code: 'duplicate', message } as const;
      const columns = this.#match.all.get(key)!;
      if (!this.#haveDistinctNames(columns)) return [error];
      const question = {
        ...{ id: `column:${key}`, kind: 'column', column: null },
        message: t`Several columns can be “${labelOf(key)}”. Which one should be used?`,
        choices: this.#choices(columns, samples),
      } as const;
      return [{ ...error, question }];
    });
  }

  #haveDistinctNames(columns: readonly number[]): boolean {
    const names = columns.map((column) => String(this.header.cells[column]));
    return new Set(names.map(plainName)).size === names.length && names.every((name) => name.length < maxHeader);
  }

  /** For a missing field: the columns that may be it, by their values. */
  #columnQuestion(key: TableField, samples: Samples): AnswerableError['question'] {
    const free = this.header.cells.flatMap((cell, column) => {
      return cell !== null && this.keys[column] === undefined ? [column] : [];
    });
    const fitting = free.filter((column) => mayBe(key, samples(column)) && this.#haveDistinctNames([column]));
    if (fitting.length === 0) return undefined;
    return {
      ...{ id: `column:${key}`, kind: 'column', column: null },
      message: t`No column is called “${labelOf(key)}”. Which one is it?`,
      choices: this.#choices(fitting.slice(0, maxChoices), samples),
    };
  }

  #choices(columns: readonly number[], samples: Samples) {
    return columns.map((column) => ({
      answer: columnLetter(column),
      label: headerExcerpt(this.header.cells[column] ?? ''),
      example: samples(column)[0],
    }));
  }

  #unknown(): AnswerableError[] {
    return this.#match.unknown.map(({ column, header }) => {
      const name = `“${excerpt(header, maxHeader)}”`;
      const guess = this.#match.guessed.get(column);
      const message =
        guess && guess !== severalFields
          ? t`${name} may be ${guess}. Confirm it by committing a dry run (\`dry_run\`), or name the field with \`mapping\`.`
          : t`${name} is not a field. Name its field with \`mapping\`, or ignore the column there; \`unknown_columns\` ignores all of them.`;
      return { ...this.locationOf(column), field: null, code: 'field_not_allowed', message };
    });
  }

  #ambiguous(): AnswerableError[] {
    return (this.#match.all.get(severalFields) ?? []).map((column) => {
      const header = String(this.header.cells[column]);
      const list = fieldsNamed(this.#settings.fields.active, header).slice(0, maxQuotes).join(', ');
      const message = t`Several fields are called “${excerpt(header, maxHeader)}”. Choose one with \`mapping\`: ${list}`;
      return { ...this.locationOf(column), field: null, code: 'field_not_allowed', message };
    });
  }

  /** The match field, if its column is missing. */
  #missingKey(): MatchField[] {
    const { mode, match_by: matchBy } = this.#settings;
    if (mode !== 'upsert') return [];
    const candidates = matchBy === null ? matchFields : [matchBy as MatchField];
    return candidates.some((field) => this.fieldColumns.has(field)) ? [] : [candidates.at(-1)!];
  }
}

const maxChoices = 20;

/** A column's values in the first rows that have any. */
type Samples = (column: number) => readonly string[];

export function headerExcerpt(cell: Cell): string {
  return excerpt(String(cell), maxHeader);
}

/** Safe to store and display. */
export function excerpt(text: string, chars: number): string {
  return text.replaceAll('\0', '').slice(0, chars).toWellFormed();
}
