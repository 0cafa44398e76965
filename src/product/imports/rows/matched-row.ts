/** A row of an import, matched to the person that it changes and to the manager that it names. */
import type { Row } from '../../../platform/sheets/model/types.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import type { MatchKey } from '../../collaborators/fields/match.ts';
import type { UniqueValue } from '../../collaborators/fields/moved-values.ts';
import type { UniqueField } from '../../collaborators/fields/unique-fields.ts';
import type { RowError } from '../state/row-errors.ts';
import type { RowFields } from './people/row-fields.ts';

/** A new person, by row index. */
export interface Newcomer {
  index: number;
}

export interface Known {
  /** The row with the address or number that names them: it may be about someone else, who takes it. */
  index?: number;
  id: string;
  email: string;
  revision: number;
}

export interface MatchedRow {
  /** Zero-based index in the table. */
  index: number;
  row: Row;
  /** The match key; undefined if the row has no usable one. */
  key: MatchKey | undefined;
  input: RowFields;
  before: CollaboratorRow | undefined;
  /** Null for none; undefined if not specified. */
  manager: Known | Newcomer | null | undefined;
  /** Whether it is imported without its manager, who isn't found. */
  lacksManager?: boolean;
  /** The error if the manager changes, because a directory manages it. */
  managedManager?: RowError;
  /** Unique values that others have. */
  taken: UniqueValue[];
  errors: RowError[];
}

/** Index of the first row with each normalized value of the unique fields. */
export interface Firsts extends Record<UniqueField, ReadonlyMap<string, number>> {
  /** The same for names, if managers are named by them. */
  name: ReadonlyMap<string, number>;
}
