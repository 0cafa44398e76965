/** One page per error code, from `docs/errors/<code>.md` and the contract. */
import { readFileSync } from 'node:fs';
import { contract, contractOperations, resolve } from '../../contract/contract.ts';
import { type Content, once } from '../http/responses/published.ts';
import { codeBlock } from './highlight.ts';
import { errorCodes, operationPath, render, renderInline } from './markdown.ts';
import { page } from './page.ts';

const docs = new URL('../../../docs/errors/', import.meta.url);

interface ErrorDescription {
  code: string;
  status: number;
  meaning: string;
}

/** Every code, from the table in the description of the contract's `ErrorCode`. */
export const errorDescriptions = once((): ErrorDescription[] => {
  const { description } = contract.components.schemas.ErrorCode as { description?: string };
  const rows = (description ?? '').matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm);
  const described = new Map([...rows].map(([, status, code, meaning]) => [code, { status: Number(status), meaning }]));
  return errorCodes().map((code) => {
    const { status, meaning } = described.get(code) ?? {};
    if (!status || !meaning) throw new Error(`the contract's ErrorCode does not describe ${code}`);
    return { code, status, meaning };
  });
});

export function errorPage(code: string): Content {
  const { status, meaning } = errorDescriptions().find((each) => each.code === code)!;
  const { html, title, headings } = render(errorText(code), (href) => {
    throw new Error(`docs/errors/${code}.md links to ${href}`);
  });
  // The Markdown has its own example if the contract has none, for errors outside of operations.
  const hasOwnExample = headings.some(({ id }) => id === 'what-the-response-looks-like');
  const examples = (hasOwnExample ? [] : examplesOf(code)).map(({ summary, value }) => ({
    summary,
    html: codeBlock(JSON.stringify(value, null, 2), 'json'),
  }));
  const operations = operationsReturning(code).map((operation) => ({
    operationId: operation.operationId,
    href: operationPath(operation),
  }));
  const description = `${code} (${status}): ${meaning}.`;
  const options = { title, description, path: `/docs/errors/${code}`, headings };
  return page('@error', options, { code, status, html, examples, operations, total: contractOperations.length });
}

export function errorIndexPage(): Content {
  const titled = errorDescriptions().map((each) => ({
    ...each,
    title: render(errorText(each.code), String).title,
    meaning: renderInline(each.meaning),
  }));
  const statuses = Object.entries(Object.groupBy(titled, ({ status }) => String(status)));
  const description = 'Every error code of the Collaborator Management API, with its cause and fix.';
  return page(
    '@errors',
    { title: 'Error codes', description, path: '/docs/errors' },
    { statuses, status_names: statusNames },
  );
}

export function errorText(code: string): string {
  return readFileSync(new URL(`${code}.md`, docs), 'utf8');
}

const statusNames: Record<string, string> = {
  400: 'Invalid request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Too large',
  415: 'Unsupported media type',
  422: "Can't be processed",
  429: 'Too many requests',
  500: 'Server error',
  503: 'Unavailable',
};

interface Example {
  summary: string;
  value: { error: string };
}

function examplesOf(code: string): Example[] {
  const examples = Object.values(contract.components.examples as Record<string, Example>);
  const found = examples.filter(({ value }) => value?.error === code);
  return found.filter(({ summary }, at) => found.findIndex((each) => each.summary === summary) === at).slice(0, 2);
}

function operationsReturning(code: string) {
  const { status } = errorDescriptions().find((each) => each.code === code)!;
  return contractOperations
    .map(({ operation }) => operation)
    .filter(({ responses }) => {
      const response = responses[String(status)];
      if (!response) return false;
      const { content } = resolve(response) as { content?: Record<string, { examples?: Record<string, Example> }> };
      const examples = Object.values(content?.['application/json']?.examples ?? {});
      return examples.some((example) => resolve(example).value?.error === code);
    });
}
