// Decides whether one schema is a subset of another.
//
// The wider side is a list of constraints, each proven on its own. If one is not proven, the narrower side is split into kinds
// (split.ts), and each is checked. Anything unproven is an objection; witness.ts searches for an instance that demonstrates it.
//
// Schemas may be recursive: a pair met again inside itself is assumed proven (coinduction). This is sound, because a
// counterexample is finite, so some counterexample would not meet the pair again. It applies only to nested parts of the
// instance, and depends on the pair itself being proven.

import { conjunction } from '../location.ts';
import { type Identity, identityOf } from '../normal-form/identity.ts';
import { commonTypes } from '../normal-form/merge.ts';
import { unrestricted } from '../normal-form/normal.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import type { Direction, NormalSchema, SchemaDocument, SchemaLocation } from '../types.ts';
import { typeOf } from '../values.ts';
import { type Mismatch, mismatch, type Rule, type Step, type SubsetChecker } from './checker.ts';
import { hasNoInstances } from './emptiness.ts';
import { accepts } from './evaluate.ts';
import { arrayRule } from './rules-arrays.ts';
import { choiceRule } from './rules-choices.ts';
import { objectRule, senderView } from './rules-objects.ts';
import { enumRule, finiteValues, numberRule, stringRule, typeRule } from './rules-scalars.ts';
import { splitByKind, splitByOwnChoice } from './split.ts';

const scalarRules = [typeRule, enumRule, numberRule, stringRule];

/** Limit of pairs per question, after which the answer is "unknown". */
const maxPairs = 1_500;
/** Limit of pairs for all questions of a relation, and the limit per question after that. */
const maxTotalPairs = 100_000;
const minPairs = 100;
/** Nesting limit of pairs, beyond which the result is "unknown". */
const maxDepth = 250;
/** Limit of successive splits; each may double the number of kinds. */
const maxSplits = 4;
const maxMismatches = 12;

const rules: readonly Rule[] = [typeRule, enumRule, numberRule, stringRule, arrayRule, objectRule, choiceRule];

/** A pair in progress. */
interface Pair {
  /** Depth within the instance. */
  readonly level: number;
  readonly depth: number;
}

/** Checks pairs of schemas in these documents, and caches the results. */
export class Pairs implements SubsetChecker {
  readonly direction: Direction;
  readonly documents: readonly SchemaDocument[];
  readonly #roots: ReadonlySet<unknown>;
  readonly #identity: Identity;
  readonly #checkedPairs = new Map<string, readonly Mismatch[]>();
  readonly #inProgress = new Map<string, Pair>();
  readonly #empty = new Map<number, boolean>();
  /** Proven pairs whose proof assumes a pair in progress, by its depth; in order of proof. */
  readonly #provisional = new Map<string, number>();
  #level = 0;
  #reliesOn = Number.POSITIVE_INFINITY;
  #remainingPairs = maxPairs;
  #totalRemainingPairs = maxTotalPairs;
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
  resetBudget(): void {
    this.#totalRemainingPairs -= maxPairs - this.#remainingPairs;
    this.#remainingPairs = this.#totalRemainingPairs > 0 ? maxPairs : minPairs;
  }

  mismatches(a: SchemaLocation, b: SchemaLocation, step?: Step): readonly Mismatch[] {
    const [idA, idB] = [this.identity(a), this.identity(b)];
    if (idA === idB) return [];
    const key = `${idA} ${idB}`;
    const known = this.#checkedPairs.get(key);
    if (known) {
      this.#reliesOn = Math.min(this.#reliesOn, this.#provisional.get(key) ?? Number.POSITIVE_INFINITY);
      return known;
    }
    const below = step ? this.#level + 1 : this.#level;
    const outer = this.#inProgress.get(key);
    if (outer) {
      if (outer.level === below) return [mismatch('unknown', 'allOf')];
      this.#reliesOn = Math.min(this.#reliesOn, outer.depth);
      return [];
    }
    const depth = this.#inProgress.size;
    if (this.#remainingPairs <= 0 || depth >= maxDepth) return [mismatch('unknown', '$ref')];
    this.#remainingPairs -= 1;
    return this.#checkPair(a, b, key, { level: below, depth });
  }

  isSubset(a: SchemaLocation, b: SchemaLocation, step?: Step): boolean {
    return this.mismatches(a, b, step).length === 0;
  }

  isEmpty(location: SchemaLocation): boolean {
    const key = this.identity(location);
    const known = this.#empty.get(key);
    if (known !== undefined) return known;
    // Assume it is not empty until known, including for its own parts.
    this.#empty.set(key, false);
    if (this.#remainingPairs <= 0) return false;
    this.#remainingPairs -= 1;
    const outerReliance = this.#reliesOn;
    this.#reliesOn = Number.POSITIVE_INFINITY;
    const result = hasNoInstances(location, this);
    if (this.#reliesOn === Number.POSITIVE_INFINITY) this.#empty.set(key, result);
    else this.#empty.delete(key);
    this.#reliesOn = Math.min(outerReliance, this.#reliesOn);
    return result;
  }

  areDisjoint(a: SchemaLocation, b: SchemaLocation): boolean {
    // Most branches differ in type, which avoids a merge.
    if (commonTypes(resolveSchema(a).types, resolveSchema(b).types).size === 0) return true;
    return this.isEmpty(conjunction([a, b]));
  }

  accepts(location: SchemaLocation, value: unknown): boolean | undefined {
    return accepts(location, value, this.direction);
  }

  identity(location: SchemaLocation): number {
    return this.#identity.of(location);
  }

  /** All values of a schema that its other keywords allow; undefined if there are many. */
  values(location: SchemaLocation): readonly unknown[] | undefined {
    return finiteValues(resolveSchema(location))?.filter((value) => this.accepts(location, value) !== false);
  }

  #checkPair(a: SchemaLocation, b: SchemaLocation, key: string, pair: Pair): readonly Mismatch[] {
    const [outerLevel, outerReliance] = [this.#level, this.#reliesOn];
    const before = this.#provisional.size;
    this.#level = pair.level;
    this.#reliesOn = Number.POSITIVE_INFINITY;
    this.#inProgress.set(key, pair);
    const found = this.#findMismatches(a, b).slice(0, maxMismatches);
    this.#inProgress.delete(key);
    this.#level = outerLevel;
    this.#checkedPairs.set(key, found);
    const since = [...this.#provisional.keys()].slice(before);
    const assumes = this.#reliesOn < pair.depth;
    for (const one of since) {
      // Proofs that assume this pair become final or invalid with it.
      if (found.length > 0) this.#checkedPairs.delete(one);
      if (found.length > 0 || !assumes) this.#provisional.delete(one);
    }
    if (found.length === 0 && assumes) this.#provisional.set(key, this.#reliesOn);
    this.#reliesOn = Math.min(outerReliance, assumes ? this.#reliesOn : Number.POSITIVE_INFINITY);
    return found;
  }

  #findMismatches(a: SchemaLocation, b: SchemaLocation): readonly Mismatch[] {
    const wider = resolveSchema(b);
    const narrower = senderView(resolveSchema(a), this.direction);
    const few = this.values(a);
    if (few) return few.flatMap((value) => this.#valueMismatches(b, wider, value));
    const found = rules.flatMap((rule) => rule(narrower, wider, this));
    if (found.length === 0 || this.isEmpty(a) || narrower.allOf.some((part) => this.isSubset(part, b))) return [];
    const chosen = splitByOwnChoice(narrower, this);
    const kinds =
      chosen ?? (this.#splits < maxSplits && found.some(isFromChoice) ? splitByKind(narrower, wider, this) : undefined);
    if (!kinds) return narrower.exact ? found : found.map((one) => ({ ...one, answer: 'unknown' }));
    this.#splits += chosen ? 0 : 1;
    const kindMismatches = kinds.flatMap((kind) =>
      this.mismatches(kind, b).map((one) => ({ ...one, via: { a: kind, b } })),
    );
    this.#splits -= chosen ? 0 : 1;
    return kindMismatches;
  }

  #valueMismatches(b: SchemaLocation, wider: NormalSchema, value: unknown): Mismatch[] {
    const accepted = this.accepts(b, value);
    if (accepted) return [];
    return [mismatch(accepted === false ? 'no' : 'unknown', rejectingKeyword(wider, value), { values: [value] })];
  }
}

/** The keyword to blame for a rejected value: the first one that constrains its type. */
function rejectingKeyword(wider: NormalSchema, value: unknown): string {
  const end = typeof value === 'number' ? { value, exclusive: false } : undefined;
  const length = typeof value === 'string' ? [...value].length : undefined;
  const limits = { minimum: end, maximum: end, minLength: length, maxLength: length };
  const typedSchema = { ...unrestricted, ...limits, types: new Set([typeOf(value)]) };
  const [first] = scalarRules.flatMap((rule) => rule(typedSchema, wider));
  return first?.keyword ?? (['oneOf', 'anyOf', 'not'] as const).find((keyword) => wider[keyword]) ?? 'allOf';
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
function isFromChoice({ keyword, via }: Mismatch): boolean {
  return choiceKeywords.has(keyword) || (via !== undefined && via.step === undefined);
}
