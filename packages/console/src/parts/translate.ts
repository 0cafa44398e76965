/**
 * Localized texts. The English text in the code is the translation key:
 *
 *     t`Send`
 *     tn(count, t`${count} person`, t`${count} people`)
 *
 * `make generate` extracts the texts into src/contract/languages/*.po, together with the service's, and builds generated/console/
 * from them. A browser loads only the language it shows.
 */
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './local-storage.ts';

type Catalogue = Readonly<Record<string, string>>;

export const languages = { en: 'English', 'pt-BR': 'Português', es: 'Español' } as const;
export type Language = keyof typeof languages;

const load: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: async () => ({ default: {} }),
  'pt-BR': () => import('../../../../generated/console/pt.json'),
  es: () => import('../../../../generated/console/es.json'),
};

const storageKey = 'console.language';
const listeners = new Set<() => void>();
let current: Language = 'en';
let catalogue: Catalogue = {};

/** Uses the language chosen in this browser before, or the browser's first supported one. */
export async function loadTranslations(): Promise<void> {
  await applyLanguage(readChoice());
}

/** Stored in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  writeStored(storageKey, language);
  await applyLanguage(language);
  for (const listener of listeners) listener();
}

export function currentLanguage(): Language {
  return current;
}

/** Rerenders when the language changes. */
export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentLanguage);
}

/** Translates an English template literal. */
export function t(strings: TemplateStringsArray, ...values: (string | number)[]): string {
  const key = strings.reduce((text, part, index) => `${text}{${index}}${part}`);
  const text = Object.hasOwn(catalogue, key) ? catalogue[key]! : key;
  if (values.length === 0) return text;
  return text.replace(/\{(\d+)\}/g, (placeholder, at) => stripDirectionControls(values[at - 1] ?? placeholder));
}

/** Plural form of the current language. */
export function tn(count: number, one: string, other: string): string {
  return new Intl.PluralRules(current).select(count) === 'one' ? one : other;
}

/** Strips bidirectional control characters (Unicode, UAX 9), which would reorder the surrounding text. */
function stripDirectionControls(value: string | number): string {
  return String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** Label of a contract name, such as a status; falls back to the name itself. */
export function named(names: () => Readonly<Record<string, string>>, name: string): string {
  const known = names();
  return Object.hasOwn(known, name) ? known[name]! : name;
}

async function applyLanguage(language: Language): Promise<void> {
  ({ default: catalogue } = await load[language]());
  current = language;
  document.documentElement.lang = language;
}

function readChoice(): Language {
  const chosen = readStored(storageKey);
  if (chosen && Object.hasOwn(languages, chosen)) return chosen as Language;
  const base = (tag: string) => tag.split('-')[0]!.toLowerCase();
  const tags = Object.keys(languages) as Language[];
  const preferred = navigator.languages.map((name) => tags.find((tag) => base(tag) === base(name)));
  return preferred.find((tag) => tag !== undefined) ?? 'en';
}
