/** The encoding of a CSV file, and whether it needs confirmation. */
import { t } from '../../../../contract/languages/text.ts';
import type { EncodingGuess, TableInfo } from '../../../../platform/sheets/model/types.ts';
import type { ImportRow } from '../../state/find-import.ts';
import type { RowError } from '../../state/row-errors.ts';
import type { ImportWarning } from '../../state/warnings.ts';

/** As stored with an import; undefined for a workbook. */
export interface FileEncoding {
  encoding: string | undefined;
  encoding_guess: EncodingGuess | undefined;
}

/** A stored encoding is used like an explicit one, and keeps its stored uncertainty. */
export function encodingOf(
  { encoding, encoding_guess: encodingGuess }: Pick<TableInfo, 'encoding' | 'encoding_guess'>,
  stored: Pick<ImportRow, 'encoding' | 'encoding_guess'>,
): FileEncoding {
  const storedGuess = (stored.encoding_guess as EncodingGuess | null) ?? undefined;
  return { encoding, encoding_guess: stored.encoding === null ? encodingGuess : storedGuess };
}

export function encodingColumns({ encoding, encoding_guess: encodingGuess }: FileEncoding) {
  return { encoding: encoding ?? null, encoding_guess: encodingGuess ? JSON.stringify(encodingGuess) : null };
}

export function errorOfEncoding({ encoding, encoding_guess: guess }: FileEncoding, row: number): RowError[] {
  if (!guess) return [];
  const { sample, other_encoding: otherEncoding, other_sample: otherSample } = guess;
  const message = t`The file may be in ${encoding!} (“${sample}”) or in ${otherEncoding} (“${otherSample}”). Set \`encoding\`, or commit a dry run (\`dry_run\`).`;
  return [{ row, column: null, field: null, code: 'invalid_format', message }];
}

/** The warning for a dry run: someone must check the encoding before committing. */
export function warningsOfEncoding({ encoding, encoding_guess: guess }: FileEncoding): ImportWarning[] {
  if (!guess) return [];
  const { sample, other_encoding: otherEncoding, other_sample: otherSample } = guess;
  const message = t`The file is read as ${encoding!}, which gives “${sample}”; as ${otherEncoding} it would be “${otherSample}”.`;
  return [{ code: 'encoding', message, column: null }];
}
