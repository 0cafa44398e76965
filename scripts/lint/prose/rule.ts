/** Finds discouraged words in a file. */
import { sentencesOf } from './texts.ts';
import { rules } from './words.ts';

/**
 * @param path from the repository root; its extension determines which texts to check
 * @returns a line for each match: location, word, suggestion, sentence
 */
export function wordsFound(path: string, content: string): string[] {
  return sentencesOf(path, content).flatMap(({ line, text }) =>
    rules.flatMap(({ pattern, suggestion }) => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [`${path}:${line}: "${word}" (write: ${suggestion}) in: ${text}`];
    }),
  );
}
