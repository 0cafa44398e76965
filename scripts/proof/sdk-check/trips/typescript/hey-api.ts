/** The trip with @hey-api/openapi-ts: one function per operation. */
import { client } from './client/client.gen.ts';
import {
  type Collaborator,
  type CollaboratorCreatedPayload,
  type CustomFieldCreate,
  createCollaborator,
  createCustomField,
  createWebhook,
  deleteWebhook,
  getAuthUser,
  getCollaborator,
  listCollaborators,
  patchCollaborator,
  uploadDocument,
} from './client/index.ts';
import { accessToken, base_url, check, contract_pdf, person, receiver, run_id } from './support.ts';

const token = await accessToken();
client.setConfig({ baseUrl: base_url, auth: () => token });

const user = await getAuthUser();
const company = user.data?.companies[0];
check('a company', company !== undefined);
console.log(`company: ${company.name}, as ${company.role}`);
const headers = { 'X-Company-Id': company.id };

const added: Collaborator[] = [];
for (const number of [1, 2, 3]) {
  const created = await createCollaborator({ headers, body: person(number), throwOnError: true });
  added.push(created.data);
}
console.log(`created: ${added.length} collaborators, ${added[0]?.status}`);

let pages = 0;
const listed: string[] = [];
for (let cursor: string | null | undefined; cursor !== null; pages++) {
  const query = { search: run_id, limit: 2, ...(cursor && { cursor }) };
  const { data: page } = await listCollaborators({ headers, query, throwOnError: true });
  check('a page by cursor', page.pagination !== undefined);
  listed.push(...page.data.map(({ id }) => id));
  cursor = page.pagination.nextCursor;
}
check('everyone is listed', listed.join() === added.map(({ id }) => id).join());
console.log(`listed: ${listed.length} collaborators on ${pages} pages`);

const uploaded = await uploadDocument({
  headers,
  path: { id: added[0]?.id ?? '' },
  body: { filename: 'contract.pdf', content_base64: contract_pdf.toString('base64'), type: 'contract' },
  throwOnError: true,
});
console.log(`uploaded: ${uploaded.data.name}, ${uploaded.data.type}, ${uploaded.data.size} bytes`);

const key = `size_${run_id}`
  .toLowerCase()
  .replaceAll(/[^a-z0-9]/g, '_')
  .slice(0, 40);
const body: CustomFieldCreate = { key, label: { default: 'Shirt size' }, type: 'text' };
const defined = await createCustomField({ headers, body, throwOnError: true });
check('a custom field', defined.data.key === key);
const path = { id: added[0]?.id ?? '' };
await patchCollaborator({ headers, path, body: { custom_fields: { [key]: 'M' } }, throwOnError: true });
const read = await getCollaborator({ headers, path, throwOnError: true });
check('the value of a custom field', read.data.custom_fields?.[key] === 'M');

const { error } = await createCollaborator({ headers, body: person(1) });
check('a validation error', error?.error === 'validation_error' && error.details !== undefined);
const emailError = error.details.email;
check('errors of the email address', Array.isArray(emailError));
console.log(`rejected: ${error.error}, email ${emailError[0].code}`);

const events = await receiver();
const subscription = { url: events.url, events: ['collaborator.created'] };
const subscribed = await createWebhook({ headers, body: subscription, throwOnError: true });
await createCollaborator({ headers, body: person(4), throwOnError: true });
const payload = (await events.next(subscribed.data.secret)) as CollaboratorCreatedPayload;
console.log(`webhook: ${payload.data.event_type}, ${payload.data.data.status}, signature valid`);
const ended = await deleteWebhook({ headers, path: { id: subscribed.data.id }, throwOnError: true });
check('the subscription ended', ended.data.deleted);
events.close();
