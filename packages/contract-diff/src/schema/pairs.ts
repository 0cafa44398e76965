// Whether every instance of one schema is an instance of another.
//
// The wider side is a list of demands that all have to be met, so each is proven on its own. Where a demand is not proven,
// the narrower side's instances are told apart (split.ts) and each kind is judged. What remains unproven is an objection;
// witness.ts looks for an instance that shows it.
//
// Schemas refer to themselves. A pair that is met again below itself is taken as proven: a counter-example is a finite
// value, so there would be one in which the pair is not met again. That holds only a part further down in the instance,
// and what was proven so stands only if the pair itself turns out to be proven.

import { isVoid } from './emptiness.ts';
import { accepts } from './evaluate.ts';
import { type Identity, identityOf } from './identity.ts';
import { type Judge, type Objection, objection, type Rule, type Step } from './judge.ts';
import { commonTypes } from './merge.ts';
import { unrestricted } from './normal.ts';
import { resolveSchema } from './normalise.ts';
import { conjunction } from './place.ts';
import { arrayRule } from './rules-arrays.ts';
import { choiceRule } from './rules-choices.ts';
import { asSent, objectRule } from './rules-objects.ts';
import { enumRule, fewValues, numberRule, stringRule, typeRule } from './rules-scalars.ts';
import { byKind, byOwnChoice } from './split.ts';
import type { Direction, NormalSchema, SchemaDocument, SchemaPlace } from './types.ts';
import { typeOf } from './values.ts';

const scalarRules = [typeRule, enumRule, numberRule, stringRule];

/** What one question may cost: pairs judged before the answer is "unknown". */
const mostPairs = 1_500;
/** What all questions to a relation may cost, and what each may when that is spent. */
const mostPairsInAll = 100_000;
const fewestPairs = 100;
/** How deep pairs may lie within each other: what is deeper is "unknown". */
const deepest = 250;
/** How often instances are told apart, each time further: every time there may be twice as many kinds. */
const mostSplits = 4;
/** The objections kept of a pair. */
const mostObjections = 12;

const rules: readonly Rule[] = [typeRule, enumRule, numberRule, stringRule, arrayRule, objectRule, choiceRule];

/** A pair that is being judged. */
interface Pair {
  /** How many steps into the instance the pair stands. */
  readonly level: number;
  readonly depth: number;
}

/** Judges pairs of schemas in these documents, and remembers what it found. */
export class Pairs implements Judge {
  readonly direction: Direction;
  readonly documents: readonly SchemaDocument[];
  readonly #roots: ReadonlySet<unknown>;
  readonly #identity: Identity;
  readonly #judged = new Map<string, readonly Objection[]>();
  readonly #underWay = new Map<string, Pair>();
  readonly #empty = new Map<number, boolean>();
  /** Proven pairs, by the depth of the pair under way that their proof assumes; in the order of their proofs. */
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

  /** Gives the next question its own allowance. */
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
    // Until it is known it counts as not empty, also for what it holds itself.
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
    // Most branches of a choice differ in type, which is told without making one schema of two.
    if (commonTypes(resolveSchema(a).types, resolveSchema(b).types).size === 0) return true;
    return this.isEmpty(conjunction([a, b]));
  }

  accepts(place: SchemaPlace, value: unknown): boolean | undefined {
    return accepts(place, value, this.direction);
  }

  identity(place: SchemaPlace): number {
    return this.#identity.of(place);
  }

  /** All values of the schema, without those that it refuses by other keywords: undefined when they are many. */
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
      // What was proven on the assumption of this pair is proven with it, and is not without it.
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

/** The keyword to name when a single value is refused: the first that says something of its type. */
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

/** Whether telling instances apart may answer the objection. */
function isOfChoice({ keyword, via }: Objection): boolean {
  return choiceKeywords.has(keyword) || (via !== undefined && via.step === undefined);
}
