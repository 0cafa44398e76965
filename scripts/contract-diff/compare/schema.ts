// Walks two schemas side by side, and reports each change at the property it is a change of.
import { type Comparison, Pair } from '../comparison.ts';
import { Cursor } from '../document.ts';
import { equal, isObject, segment } from '../json.ts';
import type { RuleId } from '../policy.ts';
import { type NormalSchema, resolveSchema, type SchemaPlace, type TypeName, type Verdict } from '../schema/index.ts';
import { Conjunction } from '../schema/types.ts';
import { compareAnnotations, mergedParts } from './annotations.ts';
import { matchBranches } from './branches.ts';
import { compareLimits } from './limits.ts';
import { takeRenames } from './rename.ts';

/** Two schemas at the same place, as they were merged. */
export interface SchemaPair {
  readonly pair: Pair;
  readonly a: SchemaPlace;
  readonly b: SchemaPlace;
  readonly before: NormalSchema;
  readonly after: NormalSchema;
}

/** Compares the schema under a key of a parameter, a header or a media type. */
export function compareSchemaAt(comparison: Comparison, pair: Pair, key: string): void {
  const [base, revised] = [pair.base?.raw(key), pair.revised?.raw(key)];
  if (!base && !revised) return;
  const anything = (cursor: Cursor | undefined, side: Cursor) =>
    cursor ?? new Cursor(side.document, true, `${side.pointer}/${key}`);
  new SchemaWalk(comparison, pair.where).walk(
    pair.below(anything(base, pair.base!), anything(revised, pair.revised!), pair.where),
    placeOf(anything(base, pair.base!)),
    placeOf(anything(revised, pair.revised!)),
  );
}

const placeOf = (cursor: Cursor): SchemaPlace => ({ document: cursor.document, schema: cursor.value });

const memories = new WeakMap<Comparison, Map<string, number>>();
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

class SchemaWalk {
  readonly #comparison: Comparison;
  readonly #use: string;
  /** How many changes of the allowed values each pair of schemas has, where that is known. */
  readonly #memory: Map<string, number>;

  /** @param use where the outermost schema is used, in words */
  constructor(comparison: Comparison, use: string) {
    this.#comparison = comparison;
    this.#use = use;
    this.#memory = memories.get(comparison) ?? new Map();
    memories.set(comparison, this.#memory);
  }

  /**
   * Compares two schemas and all within.
   *
   * @returns how many changes of the allowed values were reported; those of a place that is being compared count as none
   */
  walk(pair: Pair, a: SchemaPlace, b: SchemaPlace): number {
    const { traffic } = pair;
    const key = `${traffic.scope} ${traffic.direction} ${identity(a)} ${identity(b)}`;
    const known = this.#memory.get(key);
    if (known !== undefined) return known;
    this.#memory.set(key, 0);
    if (isPlain(a) && isPlain(b) && this.#comparison.sameness.identical(a.schema, b.schema)) return 0;
    const [base, revised] = [pair.base?.followed(), pair.revised?.followed()];
    const here = new Pair(base, revised, traffic, this.#where(pair, revised), pair.parent);
    compareAnnotations(this.#comparison, here);
    if (this.#comparison.sameness.alike(a, b)) {
      this.#descend({ pair: here, a, b, before: resolveSchema(a), after: resolveSchema(b) });
      return 0;
    }
    const schemas = { pair: here, a, b, before: resolveSchema(a), after: resolveSchema(b) };
    let count = this.#values(schemas);
    if (count === 0) count = this.#judge(schemas, 'the allowed values');
    this.#memory.set(key, count);
    return count;
  }

  /** Within a component, places are told from there: the way to it may be long, and is one of many. */
  #where(pair: Pair, revised: Cursor | undefined): string {
    const component = /^\/components\/schemas\/([^/]+)$/.exec(revised?.pointer ?? '')?.[1];
    return component === undefined || revised?.pointer === pair.revised?.pointer
      ? pair.where
      : `${this.#use}, ${component}`;
  }

  /** The same values are allowed: only annotations further down can have changed. */
  #descend(schemas: SchemaPair): void {
    this.#children(schemas);
    compareDiscriminator(this.#comparison, schemas);
  }

  #values(schemas: SchemaPair): number {
    const types = this.#types(schemas);
    if (types.disjoint) return types.count;
    let count =
      types.count +
      this.#enumeration(schemas) +
      compareLimits(this.#comparison, schemas, (a, b) => this.verdicts(schemas, a, b));
    count += this.#format(schemas);
    count += this.#children(schemas);
    count += compareDiscriminator(this.#comparison, schemas);
    const unfollowed = unfollowedChanges(this.#comparison, schemas);
    if (unfollowed.length > 0) count += this.#judge(schemas, unfollowed.map((keyword) => `\`${keyword}\``).join(', '));
    return count;
  }

  #types({ pair, a, b, before, after }: SchemaPair): { count: number; disjoint: boolean } {
    const [old, now] = [kinds(before), kinds(after)];
    const found = (rule: RuleId, text: string) =>
      this.#comparison.report(rule, pair, text, {
        key: 'type',
        before: typeList(before),
        after: typeList(after),
        probe: this.#probe(pair, a, b),
      });
    let count = 0;
    if (before.types.has('null') !== after.types.has('null') && old.size + now.size > 0) {
      count++;
      found(
        after.types.has('null') ? 'null-allowed' : 'null-refused',
        after.types.has('null') ? 'may be null now' : 'is never null now',
      );
    }
    const widened = [...now].some((type) => !covers(old, type));
    const narrowed = [...old].some((type) => !covers(now, type));
    // Where both list their values, these say it better.
    if ((widened || narrowed) && !(before.enum && after.enum)) {
      count++;
      const rule = widened && narrowed ? 'type-changed' : widened ? 'type-widened' : 'type-narrowed';
      found(rule, `the type changed from ${typeList(before).join(' or ')} to ${typeList(after).join(' or ')}`);
    }
    const disjoint =
      old.size > 0 &&
      now.size > 0 &&
      ![...old].some((type) => covers(now, type)) &&
      ![...now].some((type) => covers(old, type));
    return { count, disjoint: disjoint && !(before.enum && after.enum) };
  }

  #enumeration({ pair, a, b, before, after }: SchemaPair): number {
    const key = holdsConst(pair.base) || holdsConst(pair.revised) ? 'const' : 'enum';
    const probe = this.#probe(pair, a, b);
    const values = (schema: NormalSchema) => schema.enum?.filter((value) => value !== null);
    const [old, now] = [values(before), values(after)];
    if (!old && !now) return 0;
    const report = (rule: RuleId, text: string) =>
      this.#comparison.report(rule, pair, text, { key, before: old, after: now, probe });
    if (!old || !now) {
      // A boolean that lists true and false lists nothing.
      if (
        (old ?? now)!.length === 0 ||
        [...before.types, ...after.types].every((type) => type === 'boolean' || type === 'null')
      )
        return 0;
      report(
        old ? 'enum-opened' : 'enum-closed',
        old ? 'the list of values is no longer closed' : 'only listed values are allowed now',
      );
      return 1;
    }
    const gone = old.filter((value) => !now.some((other) => equal(value, other)));
    const come = now.filter((value) => !old.some((other) => equal(value, other)));
    for (const value of gone) report('enum-value-removed', `the value ${JSON.stringify(value)} was removed`);
    for (const value of come) report('enum-value-added', `the value ${JSON.stringify(value)} was added`);
    return gone.length + come.length;
  }

  #format({ pair, before, after }: SchemaPair): number {
    if (before.format === after.format) return 0;
    this.#comparison.report(
      'format-changed',
      pair,
      `the format changed from ${before.format ?? 'none'} to ${after.format ?? 'none'}`,
      {
        key: 'format',
        before: before.format,
        after: after.format,
      },
    );
    return 1;
  }

  #children(schemas: SchemaPair): number {
    const { pair, before, after } = schemas;
    let count = 0;
    if (before.types.has('object') && after.types.has('object'))
      count += this.#properties(schemas) + this.#others(schemas);
    if (before.types.has('array') && after.types.has('array')) {
      count += this.#child(schemas, 'items', before.items, after.items, `${pair.where}[]`);
      if (before.prefixItems.length === after.prefixItems.length)
        for (const [index, place] of before.prefixItems.entries())
          count += this.#child(
            schemas,
            `prefixItems/${index}`,
            place,
            after.prefixItems[index],
            `${pair.where}[${index}]`,
          );
    }
    for (const [pattern, place] of before.patternProperties) {
      const other = after.patternProperties.get(pattern);
      if (other)
        count += this.#child(schemas, `patternProperties/${pattern}`, place, other, `${pair.where}{${pattern}}`);
    }
    for (const keyword of ['anyOf', 'oneOf'] as const) count += this.#branches(schemas, keyword);
    return count;
  }

  /** A part that may be missing on one side, where it then allows anything. */
  #child(
    { pair, a, b }: SchemaPair,
    key: string,
    x: SchemaPlace | undefined,
    y: SchemaPlace | undefined,
    where: string,
  ): number {
    if (!x && !y) return 0;
    const before = x ?? { document: a.document, schema: true };
    const after = y ?? { document: b.document, schema: true };
    return this.walk(
      pair.below(cursorOf(before, pair.base!, key), cursorOf(after, pair.revised!, key), where),
      before,
      after,
    );
  }

  #properties(schemas: SchemaPair): number {
    const { pair, a, b, before, after } = schemas;
    const { direction } = pair.traffic;
    const probe = this.#probe(pair, a, b);
    const gone: Property[] = [];
    const come: Property[] = [];
    let count = 0;
    const names = new Set([
      ...before.properties.keys(),
      ...after.properties.keys(),
      ...before.required,
      ...after.required,
    ]);
    for (const name of names) {
      if (this.#unchanged(name, before, after)) continue;
      const old = property(name, before, pair.base!, direction);
      const now = property(name, after, pair.revised!, direction);
      const where = `${pair.where}.${name}`;
      if (old && now) {
        count += this.#shared(schemas, old, now, where);
        continue;
      }
      if (old?.visible) gone.push(old);
      if (now?.visible) come.push(now);
      if (!old && !now) count += this.#requiredOnly(schemas, name, where);
    }
    const alike = (from: Property, to: Property) =>
      this.#comparison.sameness.alike(from.place, to.place) ? 1 : kindsAlike(from, to);
    for (const [from, to] of takeRenames(gone, come, alike)) {
      count++;
      this.#comparison.report(
        'property-renamed',
        pair.below(from.cursor, to.cursor, `${pair.where}.${from.name}`),
        `was renamed to \`${to.name}\``,
        {
          before: from.name,
          after: to.name,
          probe,
        },
      );
    }
    for (const { name, cursor } of gone) {
      count++;
      this.#comparison.report(
        'property-removed',
        pair.below(cursor, undefined, `${pair.where}.${name}`),
        'was removed',
        { probe },
      );
    }
    for (const { name, cursor, required } of come) {
      count++;
      const rule = required ? 'required-property-added' : 'property-added';
      this.#comparison.report(
        rule,
        pair.below(undefined, cursor, `${pair.where}.${name}`),
        `was added${required ? ', and is required' : ''}`,
        {
          probe,
        },
      );
    }
    return count;
  }

  /** Most properties are written as they were: these need no closer look. */
  #unchanged(name: string, before: NormalSchema, after: NormalSchema): boolean {
    const [a, b] = [before.properties.get(name), after.properties.get(name)];
    if (!a || !b || before.required.has(name) !== after.required.has(name) || !isPlain(a) || !isPlain(b)) return false;
    return this.#comparison.sameness.identical(a.schema, b.schema);
  }

  /** A property that both sides have; one of them may hide it from this direction. */
  #shared(schemas: SchemaPair, old: Property, now: Property, where: string): number {
    const { pair, a, b } = schemas;
    const at = pair.below(old.cursor, now.cursor, where);
    const accepting = pair.traffic.direction === 'accept';
    const probe = this.#probe(pair, a, b);
    if (old.visible !== now.visible) {
      const key = accepting ? 'readOnly' : 'writeOnly';
      if (old.visible)
        this.#comparison.report(
          'property-hidden',
          at,
          accepting ? 'can no longer be sent: it is read-only' : 'is no longer sent: it is write-only',
          { key, probe },
        );
      else
        this.#comparison.report(
          now.required ? 'required-property-added' : 'property-added',
          at,
          accepting ? 'can be sent now: it is no longer read-only' : 'is sent now: it is no longer write-only',
          { key, probe },
        );
      return 1;
    }
    if (!old.visible) return 0;
    let count = 0;
    if (old.required !== now.required) {
      count++;
      this.#comparison.report(
        now.required ? 'property-became-required' : 'property-became-optional',
        at,
        now.required ? 'is required now' : 'is no longer required',
        { before: old.required ? 'required' : 'optional', after: now.required ? 'required' : 'optional', probe },
      );
    }
    return count + this.walk(at, old.place, now.place);
  }

  /** `required` may name a property that no schema describes. */
  #requiredOnly({ pair, a, b, before, after }: SchemaPair, name: string, where: string): number {
    if (before.required.has(name) === after.required.has(name)) return 0;
    const required = after.required.has(name);
    this.#comparison.report(
      required ? 'property-became-required' : 'property-became-optional',
      pair.below(pair.base, pair.revised, where),
      required ? 'is required now' : 'is no longer required',
      { key: 'required', probe: this.#probe(pair, a, b) },
    );
    return 1;
  }

  /** Properties that no schema names. */
  #others(schemas: SchemaPair): number {
    const { pair, a, b, before, after } = schemas;
    const [old, now] = [before.additionalProperties, after.additionalProperties];
    const [oldClosed, nowClosed] = [isNever(old), isNever(now)];
    if (oldClosed && nowClosed) return 0;
    if (oldClosed === nowClosed) return this.#child(schemas, 'additionalProperties', old, now, `${pair.where}{}`);
    this.#comparison.report(
      nowClosed ? 'other-properties-refused' : 'other-properties-allowed',
      pair,
      nowClosed
        ? 'other properties than those listed are refused now'
        : 'other properties than those listed are allowed now',
      { key: 'additionalProperties', probe: this.#probe(pair, a, b) },
    );
    return 1;
  }

  #branches(schemas: SchemaPair, keyword: 'anyOf' | 'oneOf'): number {
    const { pair, a, b, before, after } = schemas;
    const [old, now] = [before[keyword], after[keyword]];
    if (!old || !now) return 0;
    const { matched, gone, come } = matchBranches(this.#comparison, old, now, (x, y) => {
      const { forth, back } = this.verdicts(schemas, x, y);
      return forth.answer === 'yes' && back.answer === 'yes';
    });
    let count = 0;
    for (const [x, y] of matched) count += this.#child(schemas, keyword, x, y, pair.where);
    const report = (rule: RuleId, place: SchemaPlace, base: boolean) => {
      count++;
      const cursor = cursorOf(place, (base ? pair.base : pair.revised)!, keyword);
      const name = resolveSchema(place).refName;
      this.#comparison.report(
        rule,
        base ? pair.below(cursor, undefined, pair.where) : pair.below(undefined, cursor, pair.where),
        `the alternative ${name ? `${name} ` : ''}of \`${keyword}\` was ${base ? 'removed' : 'added'}`,
        { probe: this.#probe(pair, a, b) },
      );
    };
    for (const place of gone) report('alternative-removed', place, true);
    for (const place of come) report('alternative-added', place, false);
    return count;
  }

  /** Asks the relation about what no finer rule speaks of. */
  #judge(schemas: SchemaPair, what: string): number {
    const { pair, a, b } = schemas;
    const { forth, back } = this.verdicts(schemas, a, b);
    if (forth.answer === 'yes' && back.answer === 'yes') return 0;
    const rule =
      forth.answer === 'yes' ? 'schema-loosened' : back.answer === 'yes' ? 'schema-tightened' : 'schema-changed';
    const breaking = pair.traffic.direction === 'accept' ? forth : back;
    const unsure =
      breaking.answer === 'unknown' ? '; whether values of one side are refused by the other could not be decided' : '';
    this.#comparison.report(rule, pair, `${what} changed${unsure}`, { probe: this.#probe(pair, a, b) });
    return 1;
  }

  /** Does the new schema allow all that the old one did, and the other way round? */
  verdicts({ pair }: SchemaPair, a: SchemaPlace, b: SchemaPlace): { forth: Verdict; back: Verdict } {
    const relation = this.#comparison.relation(pair.traffic.direction);
    return { forth: relation.sub(a, b), back: relation.sub(b, a) };
  }

  /** Asks for a value that shows the break: of the old schema in what is accepted, of the new one in what is emitted. */
  #probe({ traffic }: Pair, a: SchemaPlace, b: SchemaPlace): () => Verdict {
    const relation = this.#comparison.witnesses(traffic.direction);
    return () => (traffic.direction === 'accept' ? relation.sub(a, b) : relation.sub(b, a));
  }
}

interface Property {
  readonly name: string;
  readonly place: SchemaPlace;
  readonly cursor: Cursor;
  readonly required: boolean;
  /** Whether this direction knows it. */
  readonly visible: boolean;
}

function property(
  name: string,
  schema: NormalSchema,
  parent: Cursor,
  direction: 'accept' | 'emit',
): Property | undefined {
  const place = schema.properties.get(name);
  if (!place) return undefined;
  const { readOnly, writeOnly, types } = resolveSchema(place);
  // `false`: it must not be there.
  if (types.size === 0) return undefined;
  return {
    name,
    place,
    cursor: cursorOf(place, parent, `properties/${name}`),
    required: schema.required.has(name),
    visible: direction === 'accept' ? !readOnly : !writeOnly,
  };
}

const kindsAlike = (from: Property, to: Property): number => {
  const [a, b] = [kinds(resolveSchema(from.place)), kinds(resolveSchema(to.place))];
  return a.size === b.size && [...a].every((type) => b.has(type)) ? 0.5 : 0;
};

/** The types but null, which has rules of its own. */
const kinds = (schema: NormalSchema): ReadonlySet<TypeName> =>
  new Set([...schema.types].filter((type) => type !== 'null'));
const covers = (types: ReadonlySet<TypeName>, type: TypeName): boolean =>
  types.has(type) || (type === 'integer' && types.has('number'));
const typeList = ({ types }: NormalSchema): string[] => (types.size >= 6 ? ['anything'] : [...types].sort());

const holdsConst = (cursor: Cursor | undefined): boolean =>
  isObject(cursor?.value) && Object.hasOwn(cursor.value, 'const');

/** Does this schema allow nothing? */
const isNever = (place: SchemaPlace | undefined): boolean =>
  place !== undefined && resolveSchema(place).types.size === 0;

/** `discriminator` tells a client which schema to read a value by. */
function compareDiscriminator(comparison: Comparison, { pair, before, after }: SchemaPair): number {
  const [old, now] = [before.discriminator, after.discriminator];
  if (!old && !now) return 0;
  const report = (text: string) => {
    comparison.report('discriminator-changed', pair, text, { key: 'discriminator' });
    return 1;
  };
  if (!old || !now) return report(old ? 'the discriminator was removed' : 'a discriminator was added');
  if (old.propertyName !== now.propertyName)
    return report(`the discriminator changed from \`${old.propertyName}\` to \`${now.propertyName}\``);
  let count = 0;
  for (const value of new Set([...old.mapping.keys(), ...now.mapping.keys()])) {
    const [from, to] = [old.mapping.get(value), now.mapping.get(value)];
    if (from !== undefined && to !== undefined) {
      if (!sameTarget(comparison, from, to))
        count += report(`the discriminator's value \`${value}\` means another schema`);
      continue;
    }
    comparison.report(
      to === undefined ? 'discriminator-value-removed' : 'discriminator-value-added',
      pair,
      `the discriminator's value \`${value}\` was ${to === undefined ? 'removed' : 'added'}`,
      { key: 'discriminator' },
    );
    count++;
  }
  return count;
}

/** Components may be named anew; what counts is what they hold. */
function sameTarget(comparison: Comparison, from: string, to: string): boolean {
  const reference = (target: string) => (/[#/]/.test(target) ? target : `#/components/schemas/${target}`);
  if (reference(from) === reference(to)) return true;
  const place = (document: typeof comparison.base, target: string): SchemaPlace => ({
    document,
    schema: { $ref: reference(target) },
  });
  return comparison.sameness.alike(place(comparison.base, from), place(comparison.revised, to));
}

/** The keywords that no finer rule compares, and that changed. */
function unfollowedChanges(comparison: Comparison, { before, after }: SchemaPair): string[] {
  const changed: string[] = [];
  const alike = (x: SchemaPlace | undefined, y: SchemaPlace | undefined) =>
    x === y || (x !== undefined && y !== undefined && comparison.sameness.alike(x, y));
  const alikeMaps = (x: ReadonlyMap<string, SchemaPlace>, y: ReadonlyMap<string, SchemaPlace>) =>
    x.size === y.size && [...x].every(([name, place]) => alike(place, y.get(name)));
  const alikeLists = (x: readonly SchemaPlace[], y: readonly SchemaPlace[]) =>
    x.length === y.length && x.every((place, index) => alike(place, y[index]));
  const single = ['propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'not'] as const;
  for (const keyword of single) if (!alike(before[keyword], after[keyword])) changed.push(keyword);
  if (!alikeMaps(before.dependentSchemas, after.dependentSchemas)) changed.push('dependentSchemas');
  if ([...before.patternProperties.keys()].sort().join('\n') !== [...after.patternProperties.keys()].sort().join('\n'))
    changed.push('patternProperties');
  for (const keyword of ['if', 'holds', 'fails'] as const)
    if (!alike(before.conditional?.[keyword], after.conditional?.[keyword]))
      changed.push(keyword === 'if' ? 'if' : keyword === 'holds' ? 'then' : 'else');
  if (!alikeLists(before.allOf, after.allOf)) changed.push('allOf');
  if (before.prefixItems.length !== after.prefixItems.length) changed.push('prefixItems');
  for (const keyword of ['anyOf', 'oneOf'] as const) if (!before[keyword] !== !after[keyword]) changed.push(keyword);
  const plain = ({ dependentRequired }: NormalSchema) =>
    Object.fromEntries([...dependentRequired].map(([name, needed]) => [name, [...needed].sort()]));
  if (!equal(plain(before), plain(after))) changed.push('dependentRequired');
  const [old, now] = [before.contains, after.contains];
  if (!alike(old?.schema, now?.schema) || old?.min !== now?.min || old?.max !== now?.max) changed.push('contains');
  return changed;
}

const isPlain = ({ schema }: SchemaPlace): boolean => !(schema instanceof Conjunction);

/** Names a place for the memory: the object it is, or those it is made of. */
function identity({ schema }: SchemaPlace): string {
  if (schema instanceof Conjunction) return `(${schema.members.map(identity).join(' ')})`;
  if (typeof schema !== 'object' || schema === null) return String(schema);
  let number = numbers.get(schema);
  if (number === undefined) {
    number = ++lastNumber;
    numbers.set(schema, number);
  }
  return String(number);
}

/**
 * Where a schema stands that came out of merging: found among the parts of the schema around it.
 *
 * @param key what it is to the schema around it, such as `items` or `properties/name`
 */
function cursorOf(place: SchemaPlace, parent: Cursor, key: string): Cursor {
  const node = place.schema instanceof Conjunction ? place.schema.members[0]!.schema : place.schema;
  // A name may hold slashes itself.
  const [keyword, ...rest] = key.split('/') as [string, ...string[]];
  const wanted = rest.length > 0 ? [keyword, rest.join('/')] : [keyword];
  return (
    findPart(parent.followed(), wanted, node, new Set()) ??
    new Cursor(parent.document, node, `${parent.pointer}${wanted.map((part) => `/${segment(part)}`).join('')}`)
  );
}

function findPart(parent: Cursor, keys: readonly string[], node: unknown, seen: Set<unknown>): Cursor | undefined {
  if (seen.has(parent.value) || !isObject(parent.value)) return undefined;
  seen.add(parent.value);
  const direct = keys.reduce<Cursor | undefined>((cursor, key) => cursor?.raw(key), parent);
  if (direct && direct.value === node) return direct;
  if (direct && Array.isArray(direct.value)) {
    const index = direct.value.indexOf(node);
    if (index !== -1) return direct.raw(index);
  }
  for (const part of mergedParts(parent)) {
    const found = findPart(part, keys, node, seen);
    if (found) return found;
  }
  return undefined;
}
