/** Examples of bodies and parameters from the contract. */
import { resolve, type Schema } from '../../../contract/contract.ts';
import { codeBlock } from '../highlight.ts';

interface Example {
  summary?: string;
  value: unknown;
}

export interface Body {
  schema: Schema;
  examples?: Record<string, Example>;
}

const maxExamples = 2;

export function examplesOf(body: Body | undefined): { summary: string; html: string }[] {
  const examples = Object.values(body?.examples ?? {}).map(resolve);
  return examples.slice(0, maxExamples).map(({ summary = 'Example', value }) => ({
    summary,
    html: codeBlock(typeof value === 'string' ? value : JSON.stringify(value, null, 2), 'json'),
  }));
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: Schema;
}

/** The contract's example of a parameter, or its name in braces. */
export function exampleOf(parameter: Parameter | undefined): string {
  const { example, name = '', schema } = parameter ?? {};
  return String(example ?? (schema?.examples as unknown[] | undefined)?.[0] ?? `{${name}}`);
}
