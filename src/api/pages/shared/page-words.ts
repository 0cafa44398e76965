/** What templates say: as `say` does, in the language of the page. */
import type { Language } from '../../../contract/languages/language.ts';
import { say, Text, withoutTurns } from '../../../contract/languages/text.ts';

/** A text that becomes a string in the language of its page. */
interface Said {
  text: Text;
  toString(): string;
}

interface Words {
  say(words: TemplateStringsArray, ...values: (string | number)[]): Said;
  /** As HTML, in which names that stand in the text stand out. */
  strong(said: Said): string;
  /** The same for headings, which are strong as they are. */
  named(said: Said): string;
}

/** @param toHtml what turns a text into HTML */
export function wordsIn(language: Language, toHtml: (text: string) => string): Words {
  const said = (text: Text): Said => ({ text, toString: () => text.in(language) });
  const marked = ({ text }: Said, [begin, end]: [string, string]) => {
    // No value can be taken for a mark: they come in after the text was put together.
    const { key, values } = text;
    const places = values.map((_value, index) => `{${index + 1}}`);
    const words = toHtml(new Text(key, places).in(language));
    return words.replace(
      /\{(\d+)\}/g,
      (_place, number) => begin + toHtml(withoutTurns(values[number - 1] as string | number)) + end,
    );
  };
  return {
    say: (words, ...values) => said(say(words, ...values)),
    strong: (text) => marked(text, ['<strong>', '</strong>']),
    named: (text) => marked(text, ['<span class="name">', '</span>']),
  };
}
