/** The translation functions of templates: `t`, in the language of the page. */
import type { Language } from '../../../contract/languages/language.ts';
import { stripDirectionControls, Text, t } from '../../../contract/languages/text.ts';

/** A text that converts to a string in the page's language. */
interface Said {
  text: Text;
  toString(): string;
}

interface Words {
  t(words: TemplateStringsArray, ...values: (string | number)[]): Said;
  /** HTML with emphasized values. */
  strong(said: Said): string;
  /** The same for headings, which are bold already. */
  named(said: Said): string;
}

export function wordsIn(language: Language, toHtml: (text: string) => string): Words {
  const said = (text: Text): Said => ({ text, toString: () => text.translate(language) });
  const marked = ({ text }: Said, [begin, end]: [string, string]) => {
    // Values are inserted after the translation, so none can be mistaken for a placeholder.
    const { key, values } = text;
    const places = values.map((_value, index) => `{${index + 1}}`);
    const words = toHtml(new Text(key, places).translate(language));
    return words.replace(
      /\{(\d+)\}/g,
      (_place, number) => begin + toHtml(stripDirectionControls(values[number - 1] as string | number)) + end,
    );
  };
  return {
    t: (words, ...values) => said(t(words, ...values)),
    strong: (text) => marked(text, ['<strong>', '</strong>']),
    named: (text) => marked(text, ['<span class="name">', '</span>']),
  };
}
