// Values that are strings on the wire: parameters, headers, form fields. There, 5 equals "5" and a value equals a list of one, so
// a type may change without changing any message.

import { isFormatEnforced } from '../../schema/formats.ts';
import { type NormalSchema, resolveSchema, type SchemaLocation, type TypeName } from '../../schema/index.ts';
import { restrictions } from '../../schema/normal-form/normal.ts';
import type { Comparison, Texts } from '../comparison.ts';
import { probeOf, type SchemaPair, verdicts } from './schema-pair.ts';
import { covers, kinds } from './types.ts';

/** Plain types with the strings that represent their values. */
const spellings: Readonly<Partial<Record<TypeName, object>>> = {
  boolean: { type: 'string', enum: ['true', 'false'] },
  integer: { type: 'string', pattern: '^-?[0-9]+$' },
  number: { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$' },
};

/**
 * Compares types that differ but may have the same string representation.
 * @returns whether the change is fully described: one side's strings include the other's
 */
export function compareTexts(comparison: Comparison, schemas: SchemaPair, texts: Texts): boolean {
  const { pair, a, b, before, after } = schemas;
  if (sameTypes(before, after)) return false;
  // Number to integer is reported like any narrower type.
  if (isPlain(before, 'integer', 'number') && isPlain(after, 'integer', 'number')) return false;
  const within = (x: SchemaLocation, y: SchemaLocation) => {
    const narrow = textsOf(x, resolveSchema(x), texts, 'at most');
    const wide = textsOf(y, resolveSchema(y), texts, 'at least');
    return (
      narrow !== undefined &&
      wide !== undefined &&
      narrow.every((one) => wide.some((other) => verdicts(comparison, pair, one, other).forward.answer === 'yes'))
    );
  };
  const [forward, backward] = [within(a, b), within(b, a)];
  // A list with several values is not a single value.
  const [lists, listsNow] = [acceptsList(before), acceptsList(after)];
  // Null has no string representation; whether it is allowed is compared separately.
  const [none, noneNow] = [before.types.has('null'), after.types.has('null')];
  const wider = forward && (!lists || listsNow) && (!none || noneNow);
  const narrower = backward && (!listsNow || lists) && (!noneNow || none);
  if (!wider && !narrower) return false;
  const rule = wider && narrower ? 'text-type-changed' : wider ? 'text-type-widened' : 'text-type-narrowed';
  comparison.report(
    rule,
    pair,
    `the type changed from ${typesOf(before)} to ${typesOf(after)}, ${ruleDescriptions[rule]}`,
    {
      key: 'type',
      before: [...before.types].sort(),
      after: [...after.types].sort(),
      probe: probeOf(comparison, schemas),
    },
  );
  return true;
}

const ruleDescriptions = {
  'text-type-changed': 'which are written alike',
  'text-type-widened': 'which allows more text',
  'text-type-narrowed': 'which allows less text',
} as const;

/** Keywords that do not affect the string representation. */
const harmless: ReadonlySet<string> = new Set(['types', 'enum', 'items', 'minItems', 'maxItems', 'uniqueItems']);
/** Lower or upper bound, if the strings are not known exactly. */
type Bound = 'at least' | 'at most';

/** Schemas of a schema's string representations; undefined if not known within the bound. */
function textsOf(
  location: SchemaLocation,
  schema: NormalSchema,
  texts: Texts,
  bound: Bound,
): readonly SchemaLocation[] | undefined {
  const types = kinds(schema);
  if (types.size === 0 || !schema.exact) return undefined;
  const { anyOf, oneOf } = schema;
  if ((anyOf ?? oneOf) && schema.types.size > 1) return textsOfBranches(schema, texts, bound);
  if (types.has('object')) return undefined;
  if (types.size === 1 && types.has('string'))
    return schema.types.size === 1
      ? [location]
      : [{ document: location.document, schema: { allOf: [location.schema, { type: 'string' }] } }];
  const plain = restrictions(schema).every((keyword) => harmless.has(keyword) || isHint(keyword, schema));
  if (bound === 'at least' && !plain) return undefined;
  if (schema.enum) {
    if (types.has('array')) return undefined;
    return [
      {
        document: location.document,
        schema: { type: 'string', enum: schema.enum.filter((value) => value !== null).map(String) },
      },
    ];
  }
  const found: SchemaLocation[] = [];
  for (const type of types) {
    const spelling = spellings[type];
    if (spelling) found.push({ document: location.document, schema: spelling });
    else if (type === 'string') found.push({ document: location.document, schema: { type } });
    else {
      const itemTexts = textsOfItems(schema, texts, bound);
      if (!itemTexts) return undefined;
      found.push(...itemTexts);
    }
  }
  return found;
}

/** The combined strings of alternatives. */
function textsOfBranches(schema: NormalSchema, texts: Texts, bound: Bound): readonly SchemaLocation[] | undefined {
  const branches = (schema.anyOf ?? schema.oneOf)!.map((location) => ({ location, branch: resolveSchema(location) }));
  const branchTexts = branches.map(({ location, branch }) =>
    branch.types.size === 1 && branch.types.has('null') ? [] : textsOf(location, branch, texts, bound),
  );
  if (bound === 'at most') return branchTexts.every((one) => one !== undefined) ? branchTexts.flat() : undefined;
  const others = restrictions(schema).some((keyword) => !['types', 'anyOf', 'oneOf'].includes(keyword));
  const fits = branches.every(({ branch }) => [...branch.types].every((type) => covers(schema.types, type)));
  // `oneOf` alternatives with a common type may exclude each other's values.
  const all = branches.flatMap(({ branch }) => [...branch.types]);
  const apart = !schema.oneOf || new Set(all).size === all.length;
  if (others || !fits || !apart || (schema.anyOf && schema.oneOf)) return undefined;
  return branchTexts.flatMap((one) => one ?? []);
}

/** A format that rejects nothing. */
const isHint = (keyword: string, { format, types }: NormalSchema): boolean =>
  keyword === 'format' && !isFormatEnforced(format!, types.has('number') ? 'number' : 'integer');

/** Strings of a list that may have one element. */
function textsOfItems(
  { items, minItems = 0, maxItems = Infinity }: NormalSchema,
  texts: Texts,
  bound: Bound,
): readonly SchemaLocation[] | undefined {
  if (!items || minItems > 1 || maxItems < 1) return undefined;
  const schema = resolveSchema(items);
  if (schema.types.has('array')) return undefined;
  // In comma-separated lists, a string with a comma is two elements.
  if (!texts.exploded && schema.types.has('string') && !schema.enum) return undefined;
  return textsOf(items, schema, texts, bound);
}

const acceptsList = ({ types, maxItems = Infinity }: NormalSchema): boolean => types.has('array') && maxItems > 1;

const sameTypes = (a: NormalSchema, b: NormalSchema): boolean => {
  const [x, y] = [kinds(a), kinds(b)];
  return x.size === y.size && [...x].every((type) => y.has(type));
};

const isPlain = (schema: NormalSchema, ...of: TypeName[]): boolean =>
  [...kinds(schema)].every((type) => of.includes(type));

const typesOf = ({ types }: NormalSchema): string => [...types].sort().join(' or ');
