// What a schema of the contract asks of a value.
import { resolve, type Schema } from '../../../../src/contract/contract.ts';
import { emailForm } from '../../../../src/contract/texts/email.ts';
import { oneLine, words } from '../../../../src/contract/texts/one-line.ts';
import { contractAjv } from '../../../generate/contract-ajv.ts';

/** A schema with the keywords that the contract uses. */
export interface Rules extends Schema {
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  anyOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
  'x-extensible-enum'?: unknown[];
  'x-any-value'?: boolean;
  'x-clearable'?: boolean;
  'x-normalized'?: keyof typeof forms;
}

/** The schema with what it refers to and what it is put together from. */
export function rulesOf(schema: Schema): Rules {
  const { allOf, ...own } = resolve(schema) as Rules;
  const rules = Object.assign({}, ...(allOf ?? []).map(rulesOf), own) as Rules;
  if (!rules.properties) return rules;
  // Of a request, those that it does not set: only what the record has is right there, and the record changes.
  const settable = Object.entries(rules.properties).filter(([, { readOnly }]) => !readOnly);
  return { ...rules, properties: Object.fromEntries(settable) };
}

/** The types it names; an object is one that has properties. */
export function typesOf({ type, properties }: Rules): string[] {
  return type === undefined ? (properties ? ['object'] : []) : [type].flat();
}

const ajv = contractAjv();

const forms = { line: oneLine, words, email: emailForm };

/** Checks the normalized text against the schema; `{{…}}` placeholders always pass. */
export function acceptor({
  minLength,
  maxLength,
  pattern,
  format,
  'x-normalized': form,
}: Rules): (text: string) => boolean {
  const rules = Object.entries({ type: 'string', minLength, maxLength, pattern, format });
  const validate = ajv.compile(Object.fromEntries(rules.filter(([, rule]) => rule !== undefined)));
  return (each) => each.startsWith('{{') || validate(form ? forms[form](each) : each);
}

/** A lone surrogate becomes another character on its way. */
export function isWellFormed(each: string): boolean {
  return (each as unknown as { isWellFormed(): boolean }).isWellFormed();
}
