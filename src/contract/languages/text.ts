/**
 * Words for people, in the language of whoever reads them. The English text stands in the code, where it is read with what
 * it is about, and is the key of its translations, as gettext has it:
 *
 *     say`Must be at most ${limit}.`                                  key: Must be at most {1}.
 *     sayMany(count, say`${count} item`, say`${count} items`)         with the plural forms of each language
 *
 * `make generate` collects what is said from the sources and keeps `pt.po` and `es.po` beside this file complete; what is
 * translated there becomes `generated/languages.ts`. A text that has no translation is shown in English.
 *
 * A text is only put together when it is read. In a log, in JSON and in a template literal it is English.
 */
import { catalogues } from '../../../generated/languages.ts';
import { type Language, languageTags } from './language.ts';

/** What stands at a place `{1}` of a text. Texts, also those in lists, are said in the language of the whole. */
type Value = string | number | Text;

/** How a list is put together: as in "a, b, or c", as in "a, b, and c", or one sentence after the other. */
type Joined = 'or' | 'and' | 'sentences';

/** A text as data, for a column of the database or another thread. */
export interface StoredText {
  key: string;
  values?: (string | number | StoredText)[];
  /** Of a text that counts. */
  plural?: { key: string; count: number };
  /** Of a list, which is made of its values. */
  joined?: Joined;
}

export class Text {
  readonly key: string;
  readonly values: readonly Value[];
  readonly plural: StoredText['plural'];
  readonly joined: Joined | undefined;

  /** @param key the English text, with `{1}`, `{2}` … in place of values */
  constructor(
    key: string,
    values: readonly Value[] = [],
    { plural, joined }: Pick<StoredText, 'plural' | 'joined'> = {},
  ) {
    this.key = key;
    this.values = values;
    this.plural = plural;
    this.joined = joined;
  }

  /** A text that was kept by `stored`. Of another version of this program, it may have lost its translation. */
  static from({ key, values = [], ...more }: StoredText): Text {
    return new Text(
      key,
      values.map((value) => (typeof value === 'object' ? Text.from(value) : value)),
      more,
    );
  }

  in(language: Language): string {
    const values = this.values.map((value) => (value instanceof Text ? value.in(language) : withoutTurns(value)));
    if (this.joined) return joinedIn(language, this.joined, values);
    return this.#form(language).replace(/\{(\d+)\}/g, (place, number) => values[number - 1] ?? place);
  }

  toString(): string {
    return this.in('en');
  }

  toJSON(): string {
    return this.in('en');
  }

  stored(): StoredText {
    const values = this.values.map((value) => (value instanceof Text ? value.stored() : storable(value)));
    return {
      key: this.key,
      ...(values.length > 0 && { values }),
      ...(this.plural && { plural: this.plural }),
      ...(this.joined && { joined: this.joined }),
    };
  }

  with(plural: { other: Text; count: number }): Text {
    const { other, count } = plural;
    return new Text(this.key, other.values, { plural: { key: other.key, count } });
  }

  /** The words of this text, and of how many where it counts. */
  #form(language: Language): string {
    const translated = language === 'en' ? undefined : translations[language].get(this.key);
    if (!this.plural) return typeof translated === 'string' ? translated : this.key;
    const { key, count } = this.plural;
    const [one, other] = Array.isArray(translated) ? translated : [this.key, key];
    const rules = Array.isArray(translated) ? pluralRules[language] : pluralRules.en;
    return rules.select(count) === 'one' ? one! : other!;
  }
}

/** What may be of anybody's file, as a jsonb of PostgreSQL takes it: without NUL and halves of characters. */
function storable(value: string | number): string | number {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
}

/** A name that turns the direction of what is written (Unicode, UAX 9) would turn the words around it, too. */
export function withoutTurns(value: string | number): string {
  return String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** A text, written in English: `say` followed by a template literal. */
export function say(words: TemplateStringsArray, ...values: Value[]): Text {
  const key = words.reduce((text, part, index) => `${text}{${index}}${part}`);
  return new Text(key, values);
}

/**
 * A text that counts something.
 * @param count which decides about the form
 * @param one as it is said of one. It has the places of `other`, or the first of them
 */
export function sayMany(count: number, one: Text, other: Text): Text {
  return one.with({ other, count });
}

/** A text that is no one's to translate: a name, a code, or what has its language already. */
export function asIs(text: string): Text {
  return new Text('{1}', [text]);
}

/** A text that stands in the contract, as `x-expected` does. */
export function fromContract(text: string): Text {
  return new Text(text);
}

/** Any of several: "a, b, or c". */
export function anyOf(values: readonly Value[]): Text {
  return new Text('', values, { joined: 'or' });
}

/** All of several: "a, b, and c". */
export function allOf(values: readonly Value[]): Text {
  return new Text('', values, { joined: 'and' });
}

/** One sentence after the other. */
export function sentences(...texts: readonly Text[]): Text {
  return new Text('', texts, { joined: 'sentences' });
}

/** A value with all texts in it, such as the body of an answer, in a language. What holds none is not copied. */
export function inLanguage<T>(value: T, language: Language): InLanguage<T> {
  return saidWithin(value, language) as InLanguage<T>;
}

/** With strings in place of texts. */
type InLanguage<T> = T extends Text ? string : T extends object ? { [K in keyof T]: InLanguage<T[K]> } : T;

function saidWithin(value: unknown, language: Language): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Text) return value.in(language);
  if (Array.isArray(value)) {
    const members = value.map((member) => saidWithin(member, language));
    return members.some((member, index) => member !== value[index]) ? members : value;
  }
  const entries = Object.entries(value).map(([name, member]) => [name, saidWithin(member, language)] as const);
  return entries.some(([name, member]) => member !== value[name as never]) ? Object.fromEntries(entries) : value;
}

function joinedIn(language: Language, joined: Joined, values: string[]): string {
  if (joined === 'sentences') return values.join(' ');
  return new Intl.ListFormat(languageTags[language], {
    type: joined === 'or' ? 'disjunction' : 'conjunction',
  }).format(values);
}

const translations = {
  pt: new Map(Object.entries(catalogues.pt)),
  es: new Map(Object.entries(catalogues.es)),
};

const pluralRules = {
  en: new Intl.PluralRules('en'),
  pt: new Intl.PluralRules(languageTags.pt),
  es: new Intl.PluralRules('es'),
};
