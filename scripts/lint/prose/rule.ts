/** Finds the words of the list in a file. */
import { sentencesOf } from './texts.ts';
import { rules } from './words.ts';

/**
 * @param path from the root of the repository; its ending says which texts of the file people read
 * @returns a line for each word found: place, word, replacement, sentence
 */
export function wordsFound(path: string, content: string): string[] {
  return sentencesOf(path, content).flatMap(({ line, text }) =>
    rules.flatMap(({ pattern, instead }) => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [`${path}:${line}: "${word}" (write: ${instead}) in: ${text}`];
    }),
  );
}
