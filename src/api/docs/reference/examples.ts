/** Body examples from the contract, and a curl command. */
import { type Operation, resolve, type Schema } from '../../../contract/contract.ts';
import { codeBlock } from '../highlight.ts';

interface Example {
  summary?: string;
  value: unknown;
}

export interface Body {
  schema: Schema;
  examples?: Record<string, Example>;
}

const maxShown = 2;

export function examplesOf(body: Body | undefined): { summary: string; html: string }[] {
  const examples = Object.values(body?.examples ?? {}).map(resolve);
  return examples.slice(0, maxShown).map(({ summary = 'Example', value }) => ({
    summary,
    html: codeBlock(typeof value === 'string' ? value : JSON.stringify(value, null, 2), 'json'),
  }));
}

/** A curl command with the examples of required parameters and the contract's first body. */
export function sampleRequest(baseUrl: string, method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const required = parameters.filter((parameter) => parameter.required);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    exampleOf(parameters.find((each) => each.name === name)),
  );
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`);
  const address = `${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${address}"`];
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"');
  for (const { name } of required.filter((parameter) => parameter.in === 'header')) {
    lines.push(name === 'X-Company-Id' ? '-H "X-Company-Id: $COMPANY_ID"' : `-H "${name}: …"`);
  }
  return codeBlock([...lines, ...bodyLines(operation)].join(' \\\n  '), 'sh');
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: Schema;
}

function exampleOf(parameter: Parameter | undefined): string {
  const { example, name = '', schema } = parameter ?? {};
  return String(example ?? (schema?.examples as unknown[] | undefined)?.[0] ?? `{${name}}`);
}

function bodyLines({ requestBody }: Operation): string[] {
  const content = requestBody && (resolve(requestBody) as { content: Record<string, Body> }).content;
  if (!content) return [];
  if (content['multipart/form-data']) return ['-F "file=@photo.jpg"'];
  const [first] = Object.values(content['application/json']?.examples ?? {});
  if (!first) return [];
  const json = JSON.stringify(resolve(first).value, null, 2).replaceAll("'", "'\\''");
  return ['-H "Content-Type: application/json"', `-d '${json}'`];
}
