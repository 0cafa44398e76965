/** The Postman collection: complete, with authentication, and every request can be sent. */
import { readFileSync } from 'node:fs';
import { renderPostmanCollection } from '../../scripts/generate/postman.ts';

interface Item {
  name: string;
  request: {
    method: string;
    url: { raw: string; variable: { key: string; value: string }[] };
    header: { key: string; value: string; disabled?: true }[];
    body?: { raw?: string };
  };
}

const contract = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8');
const collection = JSON.parse(renderPostmanCollection(contract)) as {
  auth: { oauth2: { key: string; value: string }[] };
  variable: { key: string; value: string }[];
  item: { name: string; item: Item[] }[];
};
const [first, ...folders] = collection.item;
const requests = folders.flatMap(({ item }) => item);

test('has every operation once, in the folder of its tag', () => {
  const { paths } = JSON.parse(contract) as { paths: Record<string, Record<string, { tags: string[] }>> };
  const declared = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => item[method]!.tags)
      .map((method) => `${item[method]!.tags[0]} ${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const offered = folders.flatMap(({ name, item }) =>
    item.map(({ request }) => `${name} ${request.method} ${request.url.raw.replace('{{base_url}}', '')}`),
  );
  expect(offered.toSorted()).toEqual(declared.toSorted());
});

test('signs in with PKCE and existing scopes', () => {
  const settings = Object.fromEntries(collection.auth.oauth2.map(({ key, value }) => [key, value]));
  expect(settings).toMatchObject({ grant_type: 'authorization_code_with_pkce', challengeAlgorithm: 'S256' });
  const { components } = JSON.parse(contract);
  const known = Object.keys(components.securitySchemes.oauth2.flows.authorizationCode.scopes);
  expect(known).toEqual(expect.arrayContaining(settings.scope!.split(' ')));
});

test('has company, path ids, and a JSON body where required', () => {
  for (const { name, request } of [...first!.item, ...requests]) {
    const company = request.header.find(({ key }) => key === 'X-Company-Id');
    if (request.url.raw.includes('/v1/'))
      expect({ name, company }).toMatchObject({ company: { value: '{{company_id}}' } });
    for (const { value } of request.url.variable) expect({ name, value }).not.toEqual({ name, value: '' });
    if (request.body?.raw) expect(JSON.parse(request.body.raw)).toBeInstanceOf(Object);
  }
});

test('every variable is set by the user or an earlier request', () => {
  const filled = ['email', 'collaborator_id', ...collection.variable.map(({ key }) => key)];
  const used = [...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
  expect(filled).toEqual(expect.arrayContaining([...new Set(used)]));
});
