/** The translation functions of templates: `say`, in the language of the page. */
import type { Language } from '../../../contract/languages/language.ts';
import { say, Text, withoutTurns } from '../../../contract/languages/text.ts';

/** A text that converts to a string in the page's language. */
interface Said {
  text: Text;
  toString(): string;
}

interface Words {
  say(words: TemplateStringsArray, ...values: (string | number)[]): Said;
  /** HTML with emphasized values. */
  strong(said: Said): string;
  /** The same for headings, which are bold already. */
  named(said: Said): string;
}

export function wordsIn(language: Language, toHtml: (text: string) => string): Words {
  const said = (text: Text): Said => ({ text, toString: () => text.in(language) });
  const marked = ({ text }: Said, [begin, end]: [string, string]) => {
    // Values are inserted after the translation, so none can be mistaken for a placeholder.
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
