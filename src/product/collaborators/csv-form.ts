/** The form of csv files that people open in a spreadsheet program: as the program of their language writes them. */
import type { Language } from '../../contract/languages/language.ts';

const signs = { comma: ',', semicolon: ';' } as const;
export type Delimiter = keyof typeof signs;

/** Where numbers have a decimal comma, programs take the semicolon between cells. */
const usual: Record<Language, Delimiter> = { en: 'comma', pt: 'semicolon', es: 'semicolon' };

/** @param said by whoever asks for the file */
export function csvDelimiter(language: Language, said?: Delimiter): string {
  return signs[said ?? usual[language]];
}
