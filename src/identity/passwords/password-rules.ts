/** The password policy (NIST SP 800-63B-4, section 3.1.1.2): long and not easy to guess as a whole, without composition rules. */
import { createRequire } from 'node:module';
import type { dictionary } from '@zxcvbn-ts/language-common';
import { type Text, t } from '../../contract/languages/text.ts';
import { normalizePassword } from './passwords.ts';

/** In code points. The minimum is 15, because a password may be the only factor. */
export const passwordCharacters = { min: 15, max: 200 };

/** How many characters must remain without the user's names, or without sequences. */
const minOwnCharacters = 5;
/** In all languages. */
const serviceNames = ['Collaborators', 'Colaboradores'];

/** Keyboard and alphabet rows, which people type in both directions. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
];
const sequences = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/** Loaded when first needed: most processes never need its 8 MB. */
function commonPasswords(): ReadonlySet<string> {
  const language: { dictionary: typeof dictionary } = require('@zxcvbn-ts/language-common');
  common ??= new Set(language.dictionary['passwords-common']);
  return common;
}

const require = createRequire(import.meta.url);
let common: ReadonlySet<string> | undefined;

/** @param known names related to the user @returns why the password is rejected; undefined if it is accepted */
export function passwordProblem(password: string, known: readonly string[] = []): Text | undefined {
  const text = normalizePassword(password);
  const { min, max } = passwordCharacters;
  const { length } = [...text];
  if (length < min) return t`Your password needs at least ${min} characters; this one has ${length}.`;
  if (length > max) return t`Your password can have at most ${max} characters; this one has ${length}.`;
  const plain = fold(text);
  if (isCommon(plain)) return t`This password is one of the most common ones. Choose another one.`;
  if (isPattern(plain))
    return t`This password is mostly repeated characters or a keyboard pattern. Choose another one.`;
  if (isPersonal(plain, known)) {
    return t`This password is mostly your name, your email address or your company’s name. Choose another one.`;
  }
  return undefined;
}

/** Validates a form that asks for the password twice. @param known as in `passwordProblem` */
export function chosenPassword(
  password: string,
  repetition: string,
  known: readonly string[],
): { password: string } | { problem: Text } {
  const problem = passwordProblem(password, known);
  if (problem) return { problem };
  if (password !== repetition) return { problem: t`The two passwords are not the same.` };
  return { password };
}

/** Common by itself, with a prefix or suffix, or with digits replacing letters. */
function isCommon(plain: string): boolean {
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [plain, core, withoutSubstitutes(plain), withoutSubstitutes(core)].some((text) => commonPasswords().has(text));
}

/** A repetition, or almost nothing beside sequences. */
function isPattern(plain: string): boolean {
  const repetition = plain.indexOf(plain.slice(0, Math.ceil(plain.length / 2)), 1);
  if (repetition > 0 && repetition <= plain.length / 2 && plain.startsWith(plain.slice(repetition))) return true;
  if (new Set(plain).size < minOwnCharacters) return true;
  return withoutSequences(plain).length < minOwnCharacters;
}

function isPersonal(plain: string, known: readonly string[]): boolean {
  const words = [...serviceNames, ...known].flatMap((name) => [fold(name), ...fold(name).split(/[^\p{L}\p{N}]+/u)]);
  let rest = plain;
  for (const word of words.filter(({ length }) => length >= 3).sort((a, b) => b.length - a.length)) {
    rest = rest.replaceAll(word, ' ');
  }
  return rest !== plain && withoutSequences(rest).replace(/[^\p{L}]+/gu, '').length < minOwnCharacters;
}

/** Removes three or more repeated or adjacent characters. */
function withoutSequences(plain: string): string {
  let rest = '';
  for (let i = 0; i < plain.length; ) {
    const length = Math.max(runAt(plain, i), ...sequences.map((sequence) => sequenceAt(plain, i, sequence)));
    if (length >= 3) i += length;
    else rest += plain[i++];
  }
  return rest;
}

function runAt(text: string, start: number): number {
  let length = 1;
  while (text[start + length] === text[start]) length++;
  return length;
}

function sequenceAt(text: string, start: number, sequence: string): number {
  let best = 0;
  for (let at = sequence.indexOf(text[start]!); at >= 0; at = sequence.indexOf(text[start]!, at + 1)) {
    let length = 0;
    while (start + length < text.length && text[start + length] === sequence[at + length]) length++;
    best = Math.max(best, length);
  }
  return best;
}

const letterSubstitutes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function withoutSubstitutes(plain: string): string {
  return plain.replace(/[013457@$!]/g, (character) => letterSubstitutes[character]!);
}

/** Lower case without accents. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
