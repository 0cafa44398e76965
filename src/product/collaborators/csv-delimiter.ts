/** The delimiter of CSV files, as spreadsheet programs of the language expect it. */
import type { Language } from '../../contract/languages/language.ts';

const delimiters = { comma: ',', semicolon: ';' } as const;
export type Delimiter = keyof typeof delimiters;

/** Where numbers have a decimal comma, programs separate cells by semicolons. */
const defaultDelimiters: Record<Language, Delimiter> = { en: 'comma', pt: 'semicolon', es: 'semicolon' };

export function csvDelimiter(language: Language, requested?: Delimiter): string {
  return delimiters[requested ?? defaultDelimiters[language]];
}
