// Compares patterns as finite automata: subset checks, and strings that distinguish them.
//
// Automata support no lookaround or backreferences, and may grow too large: then the result is unknown.

import { createRequire } from 'node:module';
import type { DFA, NoParent, Element as RefaElement } from 'refa';
import { compilePattern } from './location.ts';

type Element = NoParent<RefaElement>;
type Automaton = DFA;
type State = DFA.ReadonlyNode;

/** Loaded with the first changed pattern, because most comparisons have none. */
const refa = (): typeof import('refa') => require('refa') as typeof import('refa');
const require = createRequire(import.meta.url);

const maxNodes = 2_000;
/** Longer length limits are ignored: each character is a node. */
const maxLengthLimit = 200;
const maxCodePoint = 0x10ffff;

/** Known constraints of a string: it matches all patterns, with a length in code points. */
export interface Text {
  readonly patterns: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
}

/**
 * Whether all such strings match the pattern.
 * @returns undefined if unknown; otherwise strings that don't match, empty if all do
 */
export function nonMatchingStrings(text: Text, pattern: string): readonly string[] | undefined {
  if (text.patterns.includes(pattern)) return [];
  return memoize(`${JSON.stringify(text)} ${pattern}`, () => {
    const language = automatonOfText(text);
    const accepted = automatonOf(pattern);
    if (!language || !accepted) return undefined;
    const rejected = accepted.copy();
    rejected.complement();
    const outside = intersect(language, rejected);
    if (outside.isEmpty) return [];
    const found = shortest(outside, 3).filter((one) => !compilePattern(pattern)?.test(one));
    return found.length > 0 ? found : undefined;
  });
}

/** Whether no string satisfies both; false if unknown. */
export function areDisjoint(a: Text, b: Text): boolean {
  const shared = { patterns: [...a.patterns, ...b.patterns], ...tighterLengths(a, b) };
  return (
    memoize(`disjoint ${JSON.stringify(shared)}`, () => (automatonOfText(shared)?.isEmpty ? [] : undefined)) !==
    undefined
  );
}

/** All such strings, if there are at most `limit`; undefined otherwise or if unknown. */
export function allStrings(text: Text, limit: number): readonly string[] | undefined {
  if (text.patterns.length === 0) return undefined;
  return memoize(`all ${limit} ${JSON.stringify(text)}`, () => {
    const language = automatonOfText(text);
    if (!language?.isFinite) return undefined;
    return enumerate(language, limit);
  });
}

/** A few such strings, shortest first, preferring readable characters. */
export function someStrings(text: Text, count: number): readonly string[] {
  return (
    memoize(`some ${count} ${JSON.stringify(text)}`, () => {
      const language = automatonOfText(text);
      return language && shortest(language, count);
    }) ?? []
  );
}

const known = new Map<string, readonly string[] | undefined>();

function memoize(key: string, compute: () => readonly string[] | undefined): readonly string[] | undefined {
  if (known.has(key)) return known.get(key);
  let result: readonly string[] | undefined;
  try {
    result = compute();
  } catch {
    // Too large, or no language that an automaton accepts.
  }
  known.set(key, result);
  return result;
}

function tighterLengths(a: Text, b: Text): Pick<Text, 'minLength' | 'maxLength'> {
  return {
    minLength: Math.max(a.minLength ?? 0, b.minLength ?? 0),
    maxLength: Math.min(a.maxLength ?? Infinity, b.maxLength ?? Infinity),
  };
}

function automatonOfText({ patterns, minLength = 0, maxLength = Infinity }: Text): Automaton | undefined {
  const parts = patterns.map(automatonOf);
  if (minLength > 0 || maxLength <= maxLengthLimit) {
    const from = Math.min(minLength, maxLengthLimit);
    parts.push(automatonOf(`^[^]{${from},${maxLength <= maxLengthLimit ? maxLength : ''}}$`));
  }
  return parts.reduce((one, other) => one && other && intersect(one, other), everyString());
}

function everyString(): Automaton | undefined {
  return refa().DFA.all({ maxCharacter: maxCodePoint });
}

function intersect(a: Automaton, b: Automaton): Automaton {
  const { DFA } = refa();
  return DFA.fromIntersection(a, b, new DFA.LimitedNodeFactory(maxNodes));
}

const automata = new Map<string, Automaton | undefined>();

function automatonOf(pattern: string): Automaton | undefined {
  if (!automata.has(pattern)) automata.set(pattern, makeAutomaton(pattern));
  return automata.get(pattern);
}

function makeAutomaton(pattern: string): Automaton | undefined {
  const { DFA, JS, NFA } = refa();
  try {
    const parser = JS.Parser.fromLiteral({ source: pattern, flags: 'u' });
    const { expression, maxCharacter } = parser.parse({ backreferences: 'throw', assertions: 'parse' });
    for (const alternative of expression.alternatives) makeAnchorsExplicit(alternative.elements);
    const nfa = NFA.fromRegex(
      expression,
      { maxCharacter },
      { assertions: 'throw' },
      new NFA.LimitedNodeFactory(maxNodes),
    );
    const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(maxNodes));
    dfa.minimize();
    return dfa;
  } catch {
    return undefined;
  }
}

/** Patterns are not anchored: strips `^` and `$`, and adds "anything" where they are missing. */
function makeAnchorsExplicit(elements: Element[]): void {
  const anything = (): Element => ({
    type: 'Quantifier',
    min: 0,
    max: Number.POSITIVE_INFINITY,
    lazy: false,
    alternatives: [
      {
        type: 'Concatenation',
        elements: [{ type: 'CharacterClass', characters: refa().CharSet.all(maxCodePoint) }],
      },
    ],
  });
  if (isEnd(elements[0], 'behind')) elements.shift();
  else elements.unshift(anything());
  if (isEnd(elements.at(-1), 'ahead')) elements.pop();
  else elements.push(anything());
}

/** Whether the element is `^` (no character behind) or `$` (none ahead). */
function isEnd(element: Element | undefined, kind: 'ahead' | 'behind'): boolean {
  if (element?.type !== 'Assertion' || !element.negate || element.kind !== kind) return false;
  const [only, ...others] = element.alternatives;
  const [character, ...more] = only?.elements ?? [];
  const single = others.length === 0 && more.length === 0 && character?.type === 'CharacterClass';
  return single && character.characters.isAll;
}

/**
 * A few accepted strings, shortest first: a shortest path through each state and each transition. The library's own iterators
 * enumerate all paths of a length, which takes forever for long strings.
 */
function shortest(language: Automaton, count: number): string[] {
  const rest = shortestSuffixes(language);
  const to = new Map<State, string>([[language.initial, '']]);
  const found = new Set<string>();
  for (const [state, way] of to) {
    const end = rest.get(state);
    if (end !== undefined) found.add(way + end);
    for (const [range, target] of state.out) {
      const suffix = rest.get(target);
      if (suffix === undefined) continue;
      const next = way + readable(range);
      found.add(next + suffix);
      if (!to.has(target)) to.set(target, next);
    }
    if (found.size > 4 * count) break;
  }
  return [...found].sort((one, other) => one.length - other.length).slice(0, count);
}

/** The shortest string from each state to an accepting one; omits dead states. */
function shortestSuffixes(language: Automaton): Map<State, string> {
  const before = new Map<State, [State, string][]>();
  for (const state of language.nodes()) {
    for (const [range, target] of state.out) {
      const known = before.get(target) ?? [];
      before.set(target, known);
      known.push([state, readable(range)]);
    }
  }
  const rests = new Map<State, string>([...language.finals].map((state) => [state, '']));
  // Iterating a map includes entries added meanwhile, which makes this a breadth-first search.
  for (const [state, rest] of rests) {
    for (const [previous, character] of before.get(state) ?? []) {
      if (!rests.has(previous)) rests.set(previous, character + rest);
    }
  }
  return rests;
}

/** All strings of a finite language; undefined above the limit. */
function enumerate(language: Automaton, limit: number): string[] | undefined {
  const rests = shortestSuffixes(language);
  const found: string[] = [];
  const open: [DFA.Node, string][] = [[language.initial, '']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [state, way] = next;
    if (language.finals.has(state)) found.push(way);
    // Each open path leads to at least one more string.
    if (found.length + open.length > limit) return undefined;
    for (const [{ min, max }, target] of state.out) {
      if (!rests.has(target)) continue;
      if (max - min >= limit) return undefined;
      for (let character = min; character <= max; character += 1) {
        open.push([target, way + String.fromCodePoint(character)]);
      }
    }
  }
  return found.sort();
}

const preferred = [...'aA0-_ .@/'].map((character) => character.codePointAt(0) as number);

function readable({ min, max }: { readonly min: number; readonly max: number }): string {
  const preferredCharacter = preferred.find((character) => min <= character && character <= max);
  // Control characters are the least readable, but may be the only choice.
  return String.fromCodePoint(preferredCharacter ?? (max >= 0x21 ? Math.max(min, 0x21) : min));
}
