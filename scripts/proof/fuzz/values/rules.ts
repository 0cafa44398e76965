// Rules of a contract schema.
import { resolve, type Schema } from '../../../../src/contract/contract.ts';
import { emailForm } from '../../../../src/contract/texts/email.ts';
import { oneLine, words } from '../../../../src/contract/texts/one-line.ts';
import { contractAjv } from '../../../generate/contract-ajv.ts';

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

export function rulesOf(schema: Schema): Rules {
  const { allOf, ...own } = resolve(schema) as Rules;
  const rules = Object.assign({}, ...(allOf ?? []).map(rulesOf), own) as Rules;
  if (!rules.properties) return rules;
  // Omit read-only properties in requests: only the current value is valid, and it changes.
  const settable = Object.entries(rules.properties).filter(([, { readOnly }]) => !readOnly);
  return { ...rules, properties: Object.fromEntries(settable) };
}

/** Its types; a schema with properties is an object. */
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

/** A lone surrogate is replaced in transit. */
export function isWellFormed(each: string): boolean {
  return (each as unknown as { isWellFormed(): boolean }).isWellFormed();
}
