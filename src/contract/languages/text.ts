/**
 * Translatable texts. The English text is in the code and is the key of its translations, as in gettext:
 *
 *     t`Must be at most ${limit}.`                                  key: Must be at most {1}.
 *     tn(count, t`${count} item`, t`${count} items`)         with the plural forms of each language
 *
 * `make generate` extracts the texts and keeps `pt.po` and `es.po` beside this file complete; their translations become
 * `generated/languages.ts`. Missing translations fall back to English. A text is rendered on demand; in logs, JSON, and template
 * literals it is English.
 */
import { catalogues } from '../../../generated/languages.ts';
import { type Language, languageTags } from './language.ts';

/** A value for a placeholder `{1}`. Texts, also in lists, are rendered in the same language. */
type Value = string | number | Text;

/** How a list is joined: "a, b, or c", "a, b, and c", or as sentences. */
type Joined = 'or' | 'and' | 'sentences';

/** A serialized text, for a database column or another thread. */
export interface StoredText {
  key: string;
  values?: (string | number | StoredText)[];
  /** The plural form, for a text with a count. */
  plural?: { key: string; count: number };
  /** For a list of its values. */
  joined?: Joined;
}

export class Text {
  readonly key: string;
  readonly values: readonly Value[];
  readonly plural: StoredText['plural'];
  readonly joined: Joined | undefined;

  /** @param key the English text, with `{1}`, `{2}` … as placeholders */
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

  /** Deserializes a text from `stored`. One from another version may have lost its translation. */
  static from({ key, values = [], ...more }: StoredText): Text {
    return new Text(
      key,
      values.map((value) => (typeof value === 'object' ? Text.from(value) : value)),
      more,
    );
  }

  translate(language: Language): string {
    const values = this.values.map((value) =>
      value instanceof Text ? value.translate(language) : stripDirectionControls(value),
    );
    if (this.joined) return joinedIn(language, this.joined, values);
    return this.#form(language).replace(/\{(\d+)\}/g, (placeholder, number) => values[number - 1] ?? placeholder);
  }

  toString(): string {
    return this.translate('en');
  }

  toJSON(): string {
    return this.translate('en');
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

  /** The translated template, in the right plural form. */
  #form(language: Language): string {
    const translated = language === 'en' ? undefined : translations[language].get(this.key);
    // Like gettext: the key of a plural alone is its singular.
    if (!this.plural) return (Array.isArray(translated) ? translated[0] : translated) ?? this.key;
    const { key, count } = this.plural;
    const [one, other] = Array.isArray(translated) ? translated : [this.key, key];
    const rules = Array.isArray(translated) ? pluralRules[language] : pluralRules.en;
    return rules.select(count) === 'one' ? one! : other!;
  }
}

/** Removes what a Postgres jsonb rejects: NUL and lone surrogates. */
function storable(value: string | number): string | number {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
}

/** Removes direction overrides (Unicode, UAX 9), with which a name could reverse the text around it. */
export function stripDirectionControls(value: string | number): string {
  return String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** A translatable text: `t` with an English template literal. */
export function t(strings: TemplateStringsArray, ...values: Value[]): Text {
  const key = strings.reduce((text, part, index) => `${text}{${index}}${part}`);
  return new Text(key, values);
}

/** @param count selects the plural form @param one its placeholders are a prefix of those of `other` */
export function tn(count: number, one: Text, other: Text): Text {
  return one.with({ other, count });
}

/** A text that must not be translated: a name, a code, or one that is translated already. */
export function asIs(text: string): Text {
  return new Text('{1}', [text]);
}

/** A text from the contract, such as `x-expected`. */
export function fromContract(text: string): Text {
  return new Text(text);
}

/** "a, b, or c". */
export function anyOf(values: readonly Value[]): Text {
  return new Text('', values, { joined: 'or' });
}

/** "a, b, and c". */
export function allOf(values: readonly Value[]): Text {
  return new Text('', values, { joined: 'and' });
}

export function sentences(...texts: readonly Text[]): Text {
  return new Text('', texts, { joined: 'sentences' });
}

/** Renders all texts in a value, such as a response body. Values without texts aren't copied. */
export function inLanguage<T>(value: T, language: Language): InLanguage<T> {
  return translatedWithin(value, language) as InLanguage<T>;
}

type InLanguage<T> = T extends Text ? string : T extends object ? { [K in keyof T]: InLanguage<T[K]> } : T;

function translatedWithin(value: unknown, language: Language): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Text) return value.translate(language);
  if (Array.isArray(value)) {
    const members = value.map((member) => translatedWithin(member, language));
    return members.some((member, index) => member !== value[index]) ? members : value;
  }
  const entries = Object.entries(value).map(([name, member]) => [name, translatedWithin(member, language)] as const);
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
