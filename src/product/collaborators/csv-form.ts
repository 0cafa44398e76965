/** The delimiter of CSV files, as spreadsheet programs of the language expect it. */
import type { Language } from '../../contract/languages/language.ts';

const signs = { comma: ',', semicolon: ';' } as const;
export type Delimiter = keyof typeof signs;

/** Where numbers have a decimal comma, programs separate cells by semicolons. */
const usual: Record<Language, Delimiter> = { en: 'comma', pt: 'semicolon', es: 'semicolon' };

export function csvDelimiter(language: Language, said?: Delimiter): string {
  return signs[said ?? usual[language]];
}
