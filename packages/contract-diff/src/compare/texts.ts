// Values that are texts on the wire: parameters, headers, the fields of forms. There 5 and "5" are the same, and one value
// the same as a list of one, so a type may change without any message changing.

import { type NormalSchema, resolveSchema, type SchemaPlace, type TypeName } from '../schema/index.ts';
import type { Comparison, Texts } from './comparison.ts';
import { probeOf, type SchemaPair, verdicts } from './schema-pair.ts';

/** The plain types, each with the texts that its values are written as. */
const spellings: Readonly<Partial<Record<TypeName, object>>> = {
  boolean: { type: 'string', enum: ['true', 'false'] },
  integer: { type: 'string', pattern: '^-?[0-9]+$' },
  number: { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$' },
};

/**
 * Compares the types of two values that are texts, where the types differ and the texts may not.
 *
 * @returns whether that was all there is to say: the texts of one side are among those of the other
 */
export function compareTexts(comparison: Comparison, schemas: SchemaPair, texts: Texts): boolean {
  const { pair, a, b, before, after } = schemas;
  const [old, now] = [textsOf(a, before, texts), textsOf(b, after, texts)];
  if (!old || !now || sameTypes(before, after)) return false;
  // A number that becomes an integer is a text that becomes a shorter one: that is told as any narrower type.
  if (isPlain(before, 'integer', 'number') && isPlain(after, 'integer', 'number')) return false;
  const [forth, back] = [
    old.every((one) => now.some((other) => verdicts(comparison, pair, one, other).forth.answer === 'yes')),
    now.every((one) => old.some((other) => verdicts(comparison, pair, one, other).forth.answer === 'yes')),
  ];
  // More than one value in a list are no single value.
  const [lists, listsNow] = [takesList(before), takesList(after)];
  const [wider, narrower] = [forth && (!lists || listsNow), back && (!listsNow || lists)];
  if (!wider && !narrower) return false;
  const rule = wider && narrower ? 'text-type-changed' : wider ? 'text-type-widened' : 'text-type-narrowed';
  comparison.report(rule, pair, `the type changed from ${typesOf(before)} to ${typesOf(after)}, ${said[rule]}`, {
    key: 'type',
    before: [...before.types].sort(),
    after: [...after.types].sort(),
    probe: probeOf(comparison, schemas),
  });
  return true;
}

const said = {
  'text-type-changed': 'which are the same texts',
  'text-type-widened': 'whose texts are more',
  'text-type-narrowed': 'whose texts are fewer',
} as const;

/** Schemas of the texts that the values of a schema are written as; undefined where that is not so plain. */
function textsOf(place: SchemaPlace, schema: NormalSchema, texts: Texts): SchemaPlace[] | undefined {
  if (schema.types.has('object') || schema.types.has('null') || schema.types.size === 0 || !schema.exact)
    return undefined;
  if (schema.enum) {
    if (schema.types.has('array')) return undefined;
    return [{ document: place.document, schema: { type: 'string', enum: schema.enum.map(String) } }];
  }
  const found: SchemaPlace[] = [];
  for (const type of schema.types) {
    const spelling = spellings[type];
    if (spelling) found.push({ document: place.document, schema: spelling });
    else if (type === 'string') {
      // With a string among several types, its own limits hold for it alone.
      found.push(
        schema.types.size === 1 ? place : { document: place.document, schema: { allOf: [place.schema, { type }] } },
      );
    } else {
      const ofItems = textsOfItems(schema, texts);
      if (!ofItems) return undefined;
      found.push(...ofItems);
    }
  }
  return found;
}

/** The texts of a list that may have one element. */
function textsOfItems({ items, prefixItems, minItems = 0, maxItems = Infinity }: NormalSchema, texts: Texts) {
  if (!items || prefixItems.length > 0 || minItems > 1 || maxItems < 1) return undefined;
  const schema = resolveSchema(items);
  if (schema.types.has('array')) return undefined;
  // Written with commas between the elements, a text with a comma is two of them.
  if (!texts.exploded && schema.types.has('string') && !schema.enum) return undefined;
  return textsOf(items, schema, texts);
}

const takesList = ({ types, maxItems = Infinity }: NormalSchema): boolean => types.has('array') && maxItems > 1;

const sameTypes = (a: NormalSchema, b: NormalSchema): boolean =>
  a.types.size === b.types.size && [...a.types].every((type) => b.types.has(type));

const isPlain = ({ types }: NormalSchema, ...of: TypeName[]): boolean => [...types].every((type) => of.includes(type));

const typesOf = ({ types }: NormalSchema): string => [...types].sort().join(' or ');
