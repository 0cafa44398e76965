/** A row and whom it is about. */
import type { Row } from '../../../platform/sheets/model/types.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import type { MatchKey } from '../../collaborators/fields/match.ts';
import type { UniqueField } from '../../collaborators/fields/unique-fields.ts';
import type { ImportFault } from '../state/row-errors.ts';
import type { RowFields } from './people/row-fields.ts';

/** Someone who is not there yet, by the index of their row. */
export interface Newcomer {
  index: number;
}

/** Someone of the company. */
export interface Known {
  id: string;
  email: string;
  revision: number;
}

export interface MatchedRow {
  /** Of the row in the table, counted from 0. */
  index: number;
  row: Row;
  /** By what it is known whom it is about; undefined where it does not say so well enough. */
  key: MatchKey | undefined;
  said: RowFields;
  /** Whom it changes; undefined when it adds someone. */
  before: CollaboratorRow | undefined;
  /** Null for none, undefined where it is not said. */
  manager: Known | Newcomer | null | undefined;
  /** Whether it names a manager who is not found, and is taken without one. */
  lacksManager?: boolean;
  faults: ImportFault[];
}

/** The index of the first row with each value of the unique fields, in the form in which it is compared. */
export interface Firsts extends Record<UniqueField, ReadonlyMap<string, number>> {
  /** The same of names, where managers are named by them. */
  name: ReadonlyMap<string, number>;
  /** The address of each row that has a name, in lower case. */
  emails: ReadonlyMap<number, string>;
}
