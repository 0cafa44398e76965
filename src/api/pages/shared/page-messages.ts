/** The translation functions of templates: `t`, in the language of the page. */
import type { Language } from '../../../contract/languages/language.ts';
import { stripDirectionControls, Text, t } from '../../../contract/languages/text.ts';

/** A text that converts to a string in the page's language. */
interface TranslatedText {
  text: Text;
  toString(): string;
}

interface TemplateFunctions {
  t(words: TemplateStringsArray, ...values: (string | number)[]): TranslatedText;
  /** HTML with emphasized values. */
  strong(translated: TranslatedText): string;
  /** The same for headings, which are bold already. */
  named(translated: TranslatedText): string;
}

export function templateFunctions(language: Language, toHtml: (text: string) => string): TemplateFunctions {
  const translated = (text: Text): TranslatedText => ({ text, toString: () => text.translate(language) });
  const marked = ({ text }: TranslatedText, [begin, end]: [string, string]) => {
    // Values are inserted after the translation, so none can be mistaken for a placeholder.
    const { key, values } = text;
    const placeholders = values.map((_value, index) => `{${index + 1}}`);
    const words = toHtml(new Text(key, placeholders).translate(language));
    return words.replace(
      /\{(\d+)\}/g,
      (_placeholder, number) => begin + toHtml(stripDirectionControls(values[number - 1] as string | number)) + end,
    );
  };
  return {
    t: (words, ...values) => translated(t(words, ...values)),
    strong: (text) => marked(text, ['<strong>', '</strong>']),
    named: (text) => marked(text, ['<span class="name">', '</span>']),
  };
}
