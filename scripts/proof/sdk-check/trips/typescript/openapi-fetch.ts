/** The trip with openapi-typescript and openapi-fetch: types only, requests by path. */
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';
import { accessToken, base_url, check, contract_pdf, person, receiver, run_id } from './support.ts';

type Schemas = components['schemas'];

const client = createClient<paths>({ baseUrl: base_url, headers: { Authorization: `Bearer ${await accessToken()}` } });

const user = await client.GET('/auth/user');
const company = user.data?.companies[0];
check('a company', company !== undefined);
console.log(`company: ${company.name}, as ${company.role}`);
const header = { 'X-Company-Id': company.id };

const added: Schemas['Collaborator'][] = [];
for (const number of [1, 2, 3]) {
  const created = await client.POST('/v1/collaborators', { params: { header }, body: person(number) });
  check('a collaborator', created.data !== undefined);
  added.push(created.data);
}
console.log(`created: ${added.length} collaborators, ${added[0]?.status}`);

let pages = 0;
const listed: string[] = [];
for (let cursor: string | null | undefined; cursor !== null; pages++) {
  const query = { search: run_id, limit: 2, ...(cursor && { cursor }) };
  const { data: page } = await client.GET('/v1/collaborators', { params: { header, query } });
  check('a page by cursor', page?.pagination !== undefined);
  listed.push(...page.data.map(({ id }) => id));
  cursor = page.pagination.nextCursor;
}
check('everyone is listed', listed.join() === added.map(({ id }) => id).join());
console.log(`listed: ${listed.length} collaborators on ${pages} pages`);

const path = { id: added[0]?.id ?? '' };
const uploaded = await client.POST('/v1/collaborators/{id}/documents', {
  params: { header, path },
  body: { file: new File([contract_pdf], 'contract.pdf'), type: 'contract' },
  bodySerializer(body) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.append(name, value);
    return form;
  },
});
console.log(`uploaded: ${uploaded.data?.name}, ${uploaded.data?.type}, ${uploaded.data?.size} bytes`);

const key = `size_${run_id}`
  .toLowerCase()
  .replaceAll(/[^a-z0-9]/g, '_')
  .slice(0, 40);
const field: Schemas['CustomFieldCreate'] = { key, label: { default: 'Shirt size' }, type: 'text' };
const defined = await client.POST('/v1/custom-fields', { params: { header }, body: field });
check('a custom field', defined.data?.key === key);
await client.PATCH('/v1/collaborators/{id}', { params: { header, path }, body: { custom_fields: { [key]: 'M' } } });
const read = await client.GET('/v1/collaborators/{id}', { params: { header, path } });
check('the value of a custom field', read.data?.custom_fields?.[key] === 'M');

const { error } = await client.POST('/v1/collaborators', { params: { header }, body: person(1) });
check('a validation error', error?.error === 'validation_error');
const details = error.details as Schemas['ValidationErrorDetails'];
console.log(`rejected: ${error.error}, email ${details.email?.[0]?.code}`);

const events = await receiver();
const subscribed = await client.POST('/v1/webhooks', {
  params: { header },
  body: { url: events.url, events: ['collaborator.created'] },
});
check('a subscription', subscribed.data !== undefined);
await client.POST('/v1/collaborators', { params: { header }, body: person(4) });
const payload = (await events.next(subscribed.data.secret)) as Schemas['CollaboratorCreatedPayload'];
console.log(`webhook: ${payload.data.event_type}, ${payload.data.data.status}, signature valid`);
const ended = await client.DELETE('/v1/webhooks/{id}', { params: { header, path: { id: subscribed.data.id } } });
check('the subscription ended', ended.data?.deleted === true);
events.close();
