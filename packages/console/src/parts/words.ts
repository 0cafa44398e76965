/** What the console says, in the languages of `src/messages`: English and Portuguese. */
import { createInstance } from 'i18next';
import { useSyncExternalStore } from 'react';
import en from '../messages/en.json' with { type: 'json' };
import { keepText, keptText } from './kept.ts';

/** A text with a count has a form for each kind of number (`_one`, `_other`): it is said by its name without them. */
type Named<K extends string> = K extends `${infer Name}_${'zero' | 'one' | 'other' | 'many'}` ? Name : K;
type Words = Named<keyof typeof en>;

/** By their tags, as they call themselves. */
export const languages = { en: 'English', 'pt-BR': 'Português' } as const;
export type Language = keyof typeof languages;

const kept = 'console.language';
const said = createInstance();
const listeners = new Set<() => void>();

/** In the language that was chosen here before, or the one that the browser asks for. */
export async function startWords(): Promise<void> {
  await said.init({ lng: 'en', fallbackLng: 'en', resources: {}, keySeparator: false, nsSeparator: false });
  said.addResourceBundle('en', 'translation', en);
  await speak(readChoice());
}

/** Remembered for this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  keepText(kept, language);
  await speak(language);
  for (const listener of listeners) listener();
}

export function currentLanguage(): Language {
  return said.language as Language;
}

/** Draws anew when another language is chosen. */
export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentLanguage);
}

/** @param values in the places of {{name}}; `count` chooses the form */
export function t(words: Words, values: Record<string, string | number> = {}): string {
  return said.t(words, { ...values, interpolation: { escape: withoutTurns } }); // for HTML React escapes
}

/** A name that turns the direction of what is written (Unicode, UAX 9) would turn the words around it, too. */
function withoutTurns(value: unknown): string {
  return String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** For names that come from the contract, such as a status: as it is where there is no text for it. */
export function named(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  return said.exists(key) ? said.t(key) : name;
}

async function speak(language: Language): Promise<void> {
  if (language === 'pt-BR' && !said.hasResourceBundle(language, 'translation')) {
    const { default: pt } = await import('../messages/pt-BR.json');
    said.addResourceBundle(language, 'translation', pt);
  }
  await said.changeLanguage(language);
  document.documentElement.lang = language;
}

function readChoice(): Language {
  const chosen = keptText(kept);
  if (chosen && Object.hasOwn(languages, chosen)) return chosen as Language;
  return navigator.languages[0]?.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}
