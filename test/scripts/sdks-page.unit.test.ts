import { readFile } from 'node:fs/promises';
import { clients } from '../../scripts/proof/sdk-check/clients.ts';
import { openapiGenerator } from '../../scripts/proof/sdk-check/openapi-generator.ts';

test.each(clients)('the table of the page has a row for $name, made by $generator from $document', async (client) => {
  const page = await readFile(new URL('../../docs/sdks.md', import.meta.url), 'utf8');
  const parts = client.generator.replace(' v', ' ').split(' + ');
  const language = client.name.split('-')[0]!;
  const rows = page.split('\n').filter((line) => parts.every((part) => line.includes(part)));
  const own = rows.filter((row) =>
    client.generator === openapiGenerator ? row.toLowerCase().includes(`\`${language}`) : true,
  );
  expect(own).toEqual([expect.stringContaining(`| \`${client.document}\``)]);
});
