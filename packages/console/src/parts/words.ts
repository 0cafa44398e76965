/**
 * Texts in the reader's language. The English text stands in the code and is the key of its translations:
 *
 *     t`Send`
 *     tn(count, t`${count} person`, t`${count} people`)
 *
 * `make generate` collects the texts into src/contract/languages/*.po, as it does those of the service, and writes
 * generated/console/ from them. A browser loads the one language that it shows.
 */
import { useSyncExternalStore } from 'react';
import { keepText, keptText } from './kept.ts';

type Catalogue = Readonly<Record<string, string>>;

/** By their tags, as they call themselves. */
export const languages = { en: 'English', 'pt-BR': 'Português', es: 'Español' } as const;
export type Language = keyof typeof languages;

const load: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: async () => ({ default: {} }),
  'pt-BR': () => import('../../../../generated/console/pt.json'),
  es: () => import('../../../../generated/console/es.json'),
};

const kept = 'console.language';
const listeners = new Set<() => void>();
let current: Language = 'en';
let catalogue: Catalogue = {};

/** In the language that was chosen here before, or the first that the browser asks for. */
export async function startWords(): Promise<void> {
  await speak(readChoice());
}

/** Remembered for this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  keepText(kept, language);
  await speak(language);
  for (const listener of listeners) listener();
}

export function currentLanguage(): Language {
  return current;
}

/** Draws anew when another language is chosen. */
export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentLanguage);
}

/** A text, written in English as a template literal. */
export function t(words: TemplateStringsArray, ...values: (string | number)[]): string {
  const key = words.reduce((text, part, index) => `${text}{${index}}${part}`);
  const text = Object.hasOwn(catalogue, key) ? catalogue[key]! : key;
  if (values.length === 0) return text;
  return text.replace(/\{(\d+)\}/g, (place, at) => withoutTurns(values[at - 1] ?? place));
}

/** The form for a number of things, by the rules of the language. */
export function tn(count: number, one: string, other: string): string {
  return new Intl.PluralRules(current).select(count) === 'one' ? one : other;
}

/** A name that turns the direction of what is written (Unicode, UAX 9) would turn the words around it, too. */
function withoutTurns(value: string | number): string {
  return String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** For names that come from the contract, such as a status: as it is where there is no text for it. */
export function named(names: () => Readonly<Record<string, string>>, name: string): string {
  const known = names();
  return Object.hasOwn(known, name) ? known[name]! : name;
}

async function speak(language: Language): Promise<void> {
  ({ default: catalogue } = await load[language]());
  current = language;
  document.documentElement.lang = language;
}

function readChoice(): Language {
  const chosen = keptText(kept);
  if (chosen && Object.hasOwn(languages, chosen)) return chosen as Language;
  const base = (tag: string) => tag.split('-')[0]!.toLowerCase();
  const tags = Object.keys(languages) as Language[];
  const wanted = navigator.languages.map((name) => tags.find((tag) => base(tag) === base(name)));
  return wanted.find((tag) => tag !== undefined) ?? 'en';
}
