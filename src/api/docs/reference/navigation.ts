/** Operations by tag, and events, for the side navigation and the index of the reference. */
import { contract, contractOperations } from '../../../contract/contract.ts';
import { once } from '../../http/responses/published.ts';
import { eventPath, operationPath } from '../markdown.ts';

interface Tag {
  name: string;
  description: string;
  operations: { operationId: string; method: string; path: string; summary: string; href: string; old_place: string }[];
}

export const tags = once((): Tag[] => {
  const { tags } = contract as typeof contract & { tags: { name: string; description: string }[] };
  return tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: contractOperations
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ method, path, operation }) => ({
          operationId: operation.operationId,
          method: method.toUpperCase(),
          path,
          summary: (operation as typeof operation & { summary: string }).summary,
          href: operationPath(operation),
          // For old links to `/docs#tag/…`.
          old_place: `tag/${name}/${operation.operationId}`,
        })),
    }))
    .filter(({ operations }) => operations.length > 0);
});

export const events = once(() =>
  Object.entries(contract.webhooks).map(([name, { post }]) => ({
    name,
    summary: (post as typeof post & { summary: string }).summary,
    href: eventPath(name),
    old_place: `tag/events/webhook/${name}`,
  })),
);

export const referenceNavigation = once(() => [
  {
    title: 'Reference',
    links: [
      { href: '/docs/reference', label: 'Overview' },
      { href: '/docs/errors', label: 'Error codes' },
    ],
  },
  ...tags().map(({ name, operations }) => ({
    title: name,
    links: operations.map(({ href, operationId }) => ({ href, label: operationId })),
  })),
  { title: 'events', links: events().map(({ href, name }) => ({ href, label: name })) },
]);
