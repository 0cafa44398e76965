// Decides whether one schema is a subset of another.
//
// The wider side is a list of constraints, each proven on its own. If one is not proven, the narrower side is split into kinds
// (split.ts), and each is checked. Anything unproven is an objection; witness.ts searches for an instance that demonstrates it.
//
// Schemas may be recursive: a pair met again inside itself is assumed proven (coinduction). This is sound, because a
// counterexample is finite, so some counterexample would not meet the pair again. It applies only to nested parts of the
// instance, and depends on the pair itself being proven.

import { type Identity, identityOf } from '../normal-form/identity.ts';
import { commonTypes } from '../normal-form/merge.ts';
import { unrestricted } from '../normal-form/normal.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { conjunction } from '../place.ts';
import type { Direction, NormalSchema, SchemaDocument, SchemaPlace } from '../types.ts';
import { typeOf } from '../values.ts';
import { isVoid } from './emptiness.ts';
import { accepts } from './evaluate.ts';
import { type Judge, type Objection, objection, type Rule, type Step } from './judge.ts';
import { arrayRule } from './rules-arrays.ts';
import { choiceRule } from './rules-choices.ts';
import { asSent, objectRule } from './rules-objects.ts';
import { enumRule, fewValues, numberRule, stringRule, typeRule } from './rules-scalars.ts';
import { byKind, byOwnChoice } from './split.ts';

const scalarRules = [typeRule, enumRule, numberRule, stringRule];

/** Limit of pairs per question, after which the answer is "unknown". */
const mostPairs = 1_500;
/** Limit of pairs for all questions of a relation, and the limit per question after that. */
const mostPairsInAll = 100_000;
const fewestPairs = 100;
/** Nesting limit of pairs, beyond which the answer is "unknown". */
const deepest = 250;
/** Limit of successive splits; each may double the number of kinds. */
const mostSplits = 4;
const mostObjections = 12;

const rules: readonly Rule[] = [typeRule, enumRule, numberRule, stringRule, arrayRule, objectRule, choiceRule];

/** A pair in progress. */
interface Pair {
  /** Depth within the instance. */
  readonly level: number;
  readonly depth: number;
}

/** Checks pairs of schemas in these documents, and caches the results. */
export class Pairs implements Judge {
  readonly direction: Direction;
  readonly documents: readonly SchemaDocument[];
  readonly #roots: ReadonlySet<unknown>;
  readonly #identity: Identity;
  readonly #judged = new Map<string, readonly Objection[]>();
  readonly #underWay = new Map<string, Pair>();
  readonly #empty = new Map<number, boolean>();
  /** Proven pairs whose proof assumes a pair in progress, by its depth; in order of proof. */
  readonly #provisional = new Map<string, number>();
  #level = 0;
  #reliesOn = Number.POSITIVE_INFINITY;
  #left = mostPairs;
  #inAll = mostPairsInAll;
  #splits = 0;

  constructor(direction: Direction, documents: readonly SchemaDocument[]) {
    this.direction = direction;
    this.documents = documents;
    this.#roots = new Set(documents.map(({ root }) => root));
    this.#identity = identityOf([...new Map(documents.map((one) => [one.root, one])).values()]);
  }

  knows({ root }: SchemaDocument): boolean {
    return this.#roots.has(root);
  }

  /** Resets the budget for the next question. */
  renew(): void {
    this.#inAll -= mostPairs - this.#left;
    this.#left = this.#inAll > 0 ? mostPairs : fewestPairs;
  }

  objections(a: SchemaPlace, b: SchemaPlace, step?: Step): readonly Objection[] {
    const [ofA, ofB] = [this.identity(a), this.identity(b)];
    if (ofA === ofB) return [];
    const key = `${ofA} ${ofB}`;
    const known = this.#judged.get(key);
    if (known) {
      this.#reliesOn = Math.min(this.#reliesOn, this.#provisional.get(key) ?? Number.POSITIVE_INFINITY);
      return known;
    }
    const below = step ? this.#level + 1 : this.#level;
    const above = this.#underWay.get(key);
    if (above) {
      if (above.level === below) return [objection('unknown', 'allOf')];
      this.#reliesOn = Math.min(this.#reliesOn, above.depth);
      return [];
    }
    const depth = this.#underWay.size;
    if (this.#left <= 0 || depth >= deepest) return [objection('unknown', '$ref')];
    this.#left -= 1;
    return this.#judgeNew(a, b, key, { level: below, depth });
  }

  within(a: SchemaPlace, b: SchemaPlace, step?: Step): boolean {
    return this.objections(a, b, step).length === 0;
  }

  isEmpty(place: SchemaPlace): boolean {
    const key = this.identity(place);
    const known = this.#empty.get(key);
    if (known !== undefined) return known;
    // Assume it is not empty until known, including for its own parts.
    this.#empty.set(key, false);
    if (this.#left <= 0) return false;
    this.#left -= 1;
    const outerReliance = this.#reliesOn;
    this.#reliesOn = Number.POSITIVE_INFINITY;
    const result = isVoid(place, this);
    if (this.#reliesOn === Number.POSITIVE_INFINITY) this.#empty.set(key, result);
    else this.#empty.delete(key);
    this.#reliesOn = Math.min(outerReliance, this.#reliesOn);
    return result;
  }

  areDisjoint(a: SchemaPlace, b: SchemaPlace): boolean {
    // Most branches differ in type, which avoids a merge.
    if (commonTypes(resolveSchema(a).types, resolveSchema(b).types).size === 0) return true;
    return this.isEmpty(conjunction([a, b]));
  }

  accepts(place: SchemaPlace, value: unknown): boolean | undefined {
    return accepts(place, value, this.direction);
  }

  identity(place: SchemaPlace): number {
    return this.#identity.of(place);
  }

  /** All values of a schema that its other keywords allow; undefined if there are many. */
  values(place: SchemaPlace): readonly unknown[] | undefined {
    return fewValues(resolveSchema(place))?.filter((value) => this.accepts(place, value) !== false);
  }

  #judgeNew(a: SchemaPlace, b: SchemaPlace, key: string, pair: Pair): readonly Objection[] {
    const [outerLevel, outerReliance] = [this.#level, this.#reliesOn];
    const before = this.#provisional.size;
    this.#level = pair.level;
    this.#reliesOn = Number.POSITIVE_INFINITY;
    this.#underWay.set(key, pair);
    const found = this.#weigh(a, b).slice(0, mostObjections);
    this.#underWay.delete(key);
    this.#level = outerLevel;
    this.#judged.set(key, found);
    const since = [...this.#provisional.keys()].slice(before);
    const assumes = this.#reliesOn < pair.depth;
    for (const one of since) {
      // Proofs that assume this pair become final or invalid with it.
      if (found.length > 0) this.#judged.delete(one);
      if (found.length > 0 || !assumes) this.#provisional.delete(one);
    }
    if (found.length === 0 && assumes) this.#provisional.set(key, this.#reliesOn);
    this.#reliesOn = Math.min(outerReliance, assumes ? this.#reliesOn : Number.POSITIVE_INFINITY);
    return found;
  }

  #weigh(a: SchemaPlace, b: SchemaPlace): readonly Objection[] {
    const wanted = resolveSchema(b);
    const given = asSent(resolveSchema(a), this.direction);
    const few = this.values(a);
    if (few) return few.flatMap((value) => this.#objectionToValue(b, wanted, value));
    const found = rules.flatMap((rule) => rule(given, wanted, this));
    if (found.length === 0 || this.isEmpty(a) || given.allOf.some((part) => this.within(part, b))) return [];
    const chosen = byOwnChoice(given, this);
    const kinds =
      chosen ?? (this.#splits < mostSplits && found.some(isOfChoice) ? byKind(given, wanted, this) : undefined);
    if (!kinds) return given.exact ? found : found.map((one) => ({ ...one, answer: 'unknown' }));
    this.#splits += chosen ? 0 : 1;
    const ofKinds = kinds.flatMap((kind) => this.objections(kind, b).map((one) => ({ ...one, via: { a: kind, b } })));
    this.#splits -= chosen ? 0 : 1;
    return ofKinds;
  }

  #objectionToValue(b: SchemaPlace, wanted: NormalSchema, value: unknown): Objection[] {
    const accepted = this.accepts(b, value);
    if (accepted) return [];
    return [objection(accepted === false ? 'no' : 'unknown', keywordRefusing(wanted, value), { values: [value] })];
  }
}

/** The keyword to blame for a rejected value: the first one that constrains its type. */
function keywordRefusing(wanted: NormalSchema, value: unknown): string {
  const end = typeof value === 'number' ? { value, exclusive: false } : undefined;
  const length = typeof value === 'string' ? [...value].length : undefined;
  const limits = { minimum: end, maximum: end, minLength: length, maxLength: length };
  const ofType = { ...unrestricted, ...limits, types: new Set([typeOf(value)]) };
  const [first] = scalarRules.flatMap((rule) => rule(ofType, wanted));
  return first?.keyword ?? (['oneOf', 'anyOf', 'not'] as const).find((keyword) => wanted[keyword]) ?? 'allOf';
}

const choiceKeywords = new Set([
  'anyOf',
  'oneOf',
  'not',
  'then',
  'else',
  'enum',
  'const',
  'dependentSchemas',
  'required',
]);

/** Whether splitting instances may resolve the objection. */
function isOfChoice({ keyword, via }: Objection): boolean {
  return choiceKeywords.has(keyword) || (via !== undefined && via.step === undefined);
}
