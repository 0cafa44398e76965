/** `/llms.txt` (llmstxt.org) and `/llms-full.txt`: index and full text of the documentation for language models. */
import { contract, contractOperations } from '../../contract/contract.ts';
import type { Content } from '../http/responses/published.ts';
import { errorDescriptions, errorText } from './error-pages.ts';
import { guides } from './guide-list.ts';
import { guideText } from './guides.ts';
import { operationPath } from './markdown.ts';

export function llmsText(baseUrl: string): Content {
  const { title, summary, version } = contract.info as typeof contract.info & { summary: string };
  return text(`# ${title}

> ${summary} Version ${version}, at ${baseUrl}. REST and JSON, OAuth 2.0 with PKCE, signed webhooks.

## Contract

- [OpenAPI 3.1, JSON](${baseUrl}/openapi.json): every operation, event, schema, and example
- [OpenAPI 3.1, YAML](${baseUrl}/openapi.yaml): the same
- [Everything below in one text](${baseUrl}/llms-full.txt)

## Guides

- [First request](${baseUrl}/docs/guides): from setup to the first response
${guides.map(({ name, label, summary }) => `- [${label}](${baseUrl}/docs/guides/${name}): ${summary}`).join('\n')}

## Operations

${contractOperations.map(({ method, path, operation }) => `- [${operation.operationId}](${baseUrl}${operationPath(operation)}): ${method.toUpperCase()} ${path}`).join('\n')}

## Error codes

${errorDescriptions()
  .map(({ code, status, meaning }) => `- [${code}](${baseUrl}/docs/errors/${code}): ${status}, ${meaning}`)
  .join('\n')}
`);
}

export function llmsFullText(baseUrl: string): Content {
  const { description } = contract.info as typeof contract.info & { description: string };
  const operations = contractOperations.map(({ method, path, operation }) => {
    const { operationId, summary, description = '' } = operation as typeof operation & Record<string, string>;
    return `### ${operationId}: ${summary}\n\n\`${method.toUpperCase()} ${path}\`\n\n${description.trim()}`;
  });
  return text(
    [
      `# ${contract.info.title}\n\n${description.trim()}`,
      guideText('guides/README.md', baseUrl).trim(),
      ...guides.map(({ source }) => guideText(source, baseUrl).trim()),
      `# Operations\n\n${operations.join('\n\n')}`,
      ...errorDescriptions().map(
        ({ code, status }) => `${errorText(code).trim()}\n\nCode \`${code}\`, status ${status}.`,
      ),
    ].join('\n\n'),
  );
}

function text(body: string): Content {
  return { body, media_type: 'text/plain; charset=utf-8', headers: { 'Cache-Control': 'public, no-cache' } };
}
