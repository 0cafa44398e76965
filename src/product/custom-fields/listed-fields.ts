/** Filters and sort orders by custom fields. */
import { type RawBuilder, sql } from 'kysely';
import { t } from '../../contract/languages/text.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { CompanyField } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { requireStepUp } from '../../identity/members/step-up.ts';
import { scopeOf, visibility } from '../access/permissions.ts';
import { checkValue } from './check-value.ts';

type Type = CompanyField['type'];
type Reader = Pick<Viewer, 'caller' | 'member'>;
type Operator = 'eq' | 'gte' | 'lte';

export interface FieldCondition {
  key: string;
  type: Type;
  operator: Operator;
  value: string;
}

export interface FieldOrder {
  key: string;
  type: Type;
  options: string[];
}

const ranged: readonly Type[] = ['number', 'date'];
const sortable: readonly Type[] = ['text', 'number', 'boolean', 'date', 'choice', 'email', 'phone'];
const maxConditions = 10;

/**
 * @param filters by key: the value, or `gte` and `lte`
 * @returns undefined for none, so that such lists share their statements
 * @throws 400 `invalid_parameter` for a field the caller may not read of everyone in reach: filters would reveal values; 401
 */
export function fieldConditions(
  filters: Readonly<Record<string, unknown>> | undefined,
  reader: Reader,
): FieldCondition[] | undefined {
  if (!filters) return undefined;
  const conditions = Object.entries(filters).flatMap(([key, filter]) => {
    const parameter = `custom_fields[${key.slice(0, 40)}]`;
    const field = readableField(key, reader, parameter);
    if (field.type === 'long_text')
      throw unusable(parameter, t`A field of the type ${field.type} can't be used as a filter.`);
    if (typeof filter === 'string') return [condition(field, 'eq', filter, parameter)];
    if (Array.isArray(filter)) throw sentTwice(parameter);
    return Object.entries(filter as object).map(([operator, value]) => {
      if (Array.isArray(value)) throw sentTwice(`${parameter}[${operator}]`);
      if ((operator !== 'gte' && operator !== 'lte') || !ranged.includes(field.type) || typeof value !== 'string')
        throw unusable(parameter, t`Only numbers and dates support gte and lte.`);
      return condition(field, operator, value, parameter);
    });
  });
  if (conditions.length > maxConditions) {
    throw unusable('custom_fields', t`Must have at most ${maxConditions} conditions.`);
  }
  return conditions.length > 0 ? conditions : undefined;
}

function condition(field: CompanyField, operator: Operator, text: string, parameter: string): FieldCondition {
  const { key, type, options } = field;
  if (type === 'choice' || type === 'multi_choice') {
    const keys = options.map((option) => option.key);
    if (!keys.includes(text)) throw unusable(parameter, t`There is no such option.`, 'not_in_enum');
    return { key, type, operator, value: type === 'choice' ? text : JSON.stringify([text]) };
  }
  const sent =
    type === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : type === 'boolean' ? booleans[text] : text;
  const checked = checkValue(field, sent ?? text, undefined);
  if (checked.error) throw unusable(parameter, checked.error.message, checked.error.code);
  if (checked.value === null)
    throw unusable(parameter, t`Must not be blank: write something other than spaces.`, 'too_short');
  return { key, type, operator, value: String(checked.value) };
}

const booleans: Record<string, boolean | undefined> = { true: true, false: false };

/** Conditions by parameter name, such as `custom_fields[badge_until][gte]`. */
export function conditionParameters(conditions: readonly FieldCondition[]): Record<string, string> {
  return Object.fromEntries(
    conditions.map(({ key, type, operator, value }) => {
      const name = `custom_fields[${key}]${operator === 'eq' ? '' : `[${operator}]`}`;
      return [name, type === 'multi_choice' ? (JSON.parse(value) as string[])[0]! : value];
    }),
  );
}

/** @param condition with placeholders for key and value, for cached statements */
export function conditionOf({ key, type, operator, value }: FieldCondition): RawBuilder<boolean> {
  const text = sql<string>`custom_fields ->> ${key}::text`;
  const comparison = operator === 'eq' ? sql`=` : operator === 'gte' ? sql`>=` : sql`<=`;
  switch (type) {
    case 'number':
      return sql<boolean>`(${text})::numeric ${comparison} ${value}::text::numeric`;
    case 'date':
      return sql<boolean>`(${text}) collate "C" ${comparison} ${value}::text`;
    case 'multi_choice':
      return sql<boolean>`custom_fields -> ${key}::text @> ${value}::text::jsonb`;
    case 'email':
      return sql<boolean>`lower(${text}) = lower(${value}::text)`;
    default:
      return sql<boolean>`(${text}) = ${value}::text`;
  }
}

export function fieldOrders(sort: string | undefined, reader: Reader): FieldOrder[] {
  return sortedFields(sort).map((name) => {
    const { key, type, options } = readableField(name, reader, 'sort');
    if (!sortable.includes(type)) throw unusable('sort', t`Lists can't be sorted by a field of the type ${type}.`);
    return { key, type, options: type === 'choice' ? options.map((option) => option.key) : [] };
  });
}

/** The keys of custom fields in a sort order. */
export function sortedFields(sort = ''): string[] {
  const names = sort.split(',').map((name) => name.replace(/^-/, ''));
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

const prefix = 'custom_fields.';

/** The compared expression, and its type in a cursor. People without a value come last in both directions. */
export function orderExpression(
  { key, type, options }: FieldOrder,
  descending: boolean,
): { expression: RawBuilder<unknown>; type: RawBuilder<unknown> } {
  const text = sql<string>`custom_fields ->> ${sql.lit(key)}`;
  const sign = descending ? '-' : '';
  switch (type) {
    case 'number':
      return {
        expression: sql`coalesce((${text})::numeric, ${sql.lit(`${sign}Infinity`)}::numeric)`,
        type: sql`numeric`,
      };
    case 'date':
      return { expression: sql`coalesce((${text})::date, ${sql.lit(`${sign}infinity`)}::date)`, type: sql`date` };
    case 'choice': {
      const keys = sql`array[${sql.join(options.map((option) => sql.lit(option)))}]::text[]`;
      return {
        expression: sql`coalesce(array_position(${keys}, ${text}), ${sql.lit(descending ? 0 : 1000)})`,
        type: sql`integer`,
      };
    }
    default:
      return {
        expression: sql`(coalesce(left(search_form(${text}), 200), ${sql.lit(descending ? '' : last)}) collate "C")`,
        type: sql`text`,
      };
  }
}

/** Sorts after every text. */
const last = '\u{10ffff}';

/** @throws 400, 401 */
function readableField(key: string, reader: Reader, parameter: string): CompanyField {
  const field = fieldReadOfAll(key, reader);
  if (!field) throw unusable(parameter, t`There is no such field, or you can't read it.`, 'not_in_enum');
  return field;
}

/** A field the reader may read of everyone in their reach; otherwise lists would reveal values. @throws 401 */
export function fieldReadOfAll(key: string, { caller, member }: Reader): CompanyField | undefined {
  const field = member.fields?.byKey.get(key);
  if (!field) return undefined;
  const { readers } = field;
  const readsAll = scopeOf(readers, member) === scopeOf(visibility, member);
  const hasScopes = !readers.scopes?.some((scope) => !caller.scopes.includes(scope));
  if (!readsAll || !hasScopes) return undefined;
  if (readers.step_up) requireStepUp(caller);
  return field;
}

function sentTwice(parameter: string): Problem {
  return unusable(parameter, t`This parameter was sent twice. Send it once.`, 'invalid_type');
}

function unusable(
  parameter: string,
  message: FieldError['message'],
  code: FieldError['code'] = 'field_not_allowed',
): Problem {
  return new Problem(400, 'invalid_parameter', t`The parameter ${parameter} can't be used like this.`, {
    details: { [parameter]: [{ code, message }] },
  });
}
