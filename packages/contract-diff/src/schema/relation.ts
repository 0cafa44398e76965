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
import { createIdentity, type Identity } from './identity.ts';
import type { Judge, Objection, Rule, Step } from './judge.ts';
import { objection } from './judge.ts';
import { unrestricted } from './normal.ts';
import { resolveSchema } from './normalise.ts';
import { conjunction, documentsOf } from './place.ts';
import { arrayRule } from './rules-arrays.ts';
import { choiceRule } from './rules-choices.ts';
import { asSent, objectRule } from './rules-objects.ts';
import { enumRule, fewValues, numberRule, stringRule, typeRule } from './rules-scalars.ts';
import { byKind, byOwnChoice } from './split.ts';
import type { Direction, NormalSchema, Relation, SchemaDocument, SchemaPlace, Verdict } from './types.ts';
import { typeOf } from './values.ts';
import { createWitnesses, type Witnesses } from './witness.ts';

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

/**
 * A relation with an empty memory.
 * @param direction which properties exist on both sides
 * @param options `witnesses: false` looks for no counter-examples: faster, and more often "unknown"
 */
export function createRelation(direction: Direction, options: { readonly witnesses?: boolean } = {}): Relation {
  let memory: Memory | undefined;
  return {
    sub(a, b) {
      const documents = [...documentsOf(a), ...documentsOf(b)];
      if (!memory || !documents.every(memory.knows)) {
        memory = createMemory(direction, [...(memory?.documents ?? []), ...documents]);
      }
      memory.renew();
      const objections = memory.judge.objections(a, b);
      return verdict(objections, options.witnesses === false ? undefined : memory.witnesses, a, b);
    },
  };
}

function verdict(
  objections: readonly Objection[],
  witnesses: Witnesses | undefined,
  a: SchemaPlace,
  b: SchemaPlace,
): Verdict {
  const first = objections.find(({ answer }) => answer === 'no') ?? objections[0];
  if (!first) return { answer: 'yes' };
  const shown = witnesses?.find(a, b);
  if (!shown) return { answer: first.answer, keyword: first.keyword, path: first.path };
  const { keyword, path } = shown.objection ?? first;
  return { answer: 'no', keyword, path, witness: shown.witness };
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

interface Memory {
  readonly documents: readonly SchemaDocument[];
  readonly judge: Judge;
  readonly witnesses: Witnesses;
  knows(document: SchemaDocument): boolean;
  /** Gives the next question its own allowance. */
  renew(): void;
}

interface Pair {
  /** How many steps into the instance the pair stands. */
  readonly level: number;
  readonly depth: number;
}

function createMemory(direction: Direction, documents: readonly SchemaDocument[]): Memory {
  const roots = new Set(documents.map(({ root }) => root));
  const identity: Identity = createIdentity([...new Map(documents.map((one) => [one.root, one])).values()]);
  const judged = new Map<string, readonly Objection[]>();
  const underWay = new Map<string, Pair>();
  const empty = new Map<number, boolean>();
  // Proven pairs, by the depth of the pair under way that their proof assumes; in the order of their proofs.
  const provisional = new Map<string, number>();
  let level = 0;
  let reliesOn = Number.POSITIVE_INFINITY;
  let left = mostPairs;
  let inAll = mostPairsInAll;
  let splits = 0;

  const judge: Judge = {
    direction,
    objections,
    within: (a, b, step) => objections(a, b, step).length === 0,
    isEmpty,
    areDisjoint: (a, b) => isEmpty(conjunction([a, b])),
    accepts: (place, value) => accepts(place, value, direction),
    identity: identity.of,
    values,
  };
  const witnesses = createWitnesses(judge);

  function objections(a: SchemaPlace, b: SchemaPlace, step?: Step): readonly Objection[] {
    const [ofA, ofB] = [identity.of(a), identity.of(b)];
    if (ofA === ofB) return [];
    const key = `${ofA} ${ofB}`;
    const known = judged.get(key);
    if (known) {
      reliesOn = Math.min(reliesOn, provisional.get(key) ?? Number.POSITIVE_INFINITY);
      return known;
    }
    const below = step ? level + 1 : level;
    const above = underWay.get(key);
    if (above) {
      if (above.level === below) return [objection('unknown', 'allOf')];
      reliesOn = Math.min(reliesOn, above.depth);
      return [];
    }
    const depth = underWay.size;
    if (left <= 0 || depth >= deepest) return [objection('unknown', '$ref')];
    left -= 1;
    return judgeNew(a, b, key, { level: below, depth });
  }

  function judgeNew(a: SchemaPlace, b: SchemaPlace, key: string, pair: Pair): readonly Objection[] {
    const [outerLevel, outerReliance] = [level, reliesOn];
    const before = provisional.size;
    level = pair.level;
    reliesOn = Number.POSITIVE_INFINITY;
    underWay.set(key, pair);
    const found = weigh(a, b).slice(0, mostObjections);
    underWay.delete(key);
    level = outerLevel;
    judged.set(key, found);
    const since = [...provisional.keys()].slice(before);
    const assumes = reliesOn < pair.depth;
    for (const one of since) {
      // What was proven on the assumption of this pair is proven with it, and is not without it.
      if (found.length > 0) judged.delete(one);
      if (found.length > 0 || !assumes) provisional.delete(one);
    }
    if (found.length === 0 && assumes) provisional.set(key, reliesOn);
    reliesOn = Math.min(outerReliance, assumes ? reliesOn : Number.POSITIVE_INFINITY);
    return found;
  }

  function weigh(a: SchemaPlace, b: SchemaPlace): readonly Objection[] {
    const wanted = resolveSchema(b);
    const given = asSent(resolveSchema(a), direction);
    const few = values(a);
    if (few) return few.flatMap((value) => objectionToValue(b, wanted, value));
    const found = rules.flatMap((rule) => rule(given, wanted, judge));
    if (found.length === 0 || isEmpty(a) || given.allOf.some((part) => judge.within(part, b))) return [];
    const chosen = byOwnChoice(given, judge);
    const kinds = chosen ?? (splits < mostSplits && found.some(isOfChoice) ? byKind(given, wanted, judge) : undefined);
    if (!kinds) return given.exact ? found : found.map((one) => ({ ...one, answer: 'unknown' }));
    splits += chosen ? 0 : 1;
    const ofKinds = kinds.flatMap((kind) => judge.objections(kind, b).map((one) => ({ ...one, via: { a: kind, b } })));
    splits -= chosen ? 0 : 1;
    return ofKinds;
  }

  function objectionToValue(b: SchemaPlace, wanted: NormalSchema, value: unknown): Objection[] {
    const accepted = judge.accepts(b, value);
    if (accepted) return [];
    return [objection(accepted === false ? 'no' : 'unknown', keywordRefusing(wanted, value), { values: [value] })];
  }

  /** All values of the schema, without those that it refuses by other keywords: undefined when they are many. */
  function values(place: SchemaPlace): readonly unknown[] | undefined {
    const few = fewValues(resolveSchema(place));
    return few?.filter((value) => accepts(place, value, direction) !== false);
  }

  function isEmpty(place: SchemaPlace): boolean {
    const key = identity.of(place);
    const known = empty.get(key);
    if (known !== undefined) return known;
    // Until it is known it counts as not empty, also for what it holds itself.
    empty.set(key, false);
    if (left <= 0) return false;
    left -= 1;
    const outerReliance = reliesOn;
    reliesOn = Number.POSITIVE_INFINITY;
    const result = isVoid(place, judge);
    if (reliesOn === Number.POSITIVE_INFINITY) empty.set(key, result);
    else empty.delete(key);
    reliesOn = Math.min(outerReliance, reliesOn);
    return result;
  }

  return {
    documents,
    judge,
    witnesses,
    knows: ({ root }) => roots.has(root),
    renew: () => {
      inAll -= mostPairs - left;
      left = inAll > 0 ? mostPairs : fewestPairs;
    },
  };
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
