/** The short trip with openapi-generator: one class per tag, one method per operation. */
import { CollaboratorsApi, Configuration, DocumentsApi, DocumentType, ResponseError } from './client/index.js';
import { base_url, check, contract_pdf, person, run_id, setting } from './support.js';

const configuration = new Configuration({ basePath: base_url, accessToken: `Bearer ${setting('ACCESS_TOKEN')}` });
const collaborators = new CollaboratorsApi(configuration);
const xCompanyId = setting('COMPANY_ID');

const added: string[] = [];
const statuses: string[] = [];
for (const number of [1, 2, 3]) {
  const created = await collaborators.createCollaborator({ xCompanyId, collaboratorCreate: person(number) });
  added.push(created.id);
  statuses.push(created.status);
}
console.log(`created: ${added.length} collaborators, ${statuses[0]}`);

let pages = 0;
const listed: string[] = [];
for (let cursor: string | null | undefined; cursor !== null; pages++) {
  const page = await collaborators.listCollaborators({ xCompanyId, search: run_id, limit: 2, cursor });
  check('a page by cursor', page.pagination !== undefined);
  listed.push(...page.data.map(({ id }) => id));
  cursor = page.pagination.nextCursor;
}
check('everyone is listed', listed.join() === added.join());
console.log(`listed: ${listed.length} collaborators on ${pages} pages`);

const file = new File([contract_pdf], 'contract.pdf', { type: 'application/pdf' });
const id = added[0] ?? '';
const document = await new DocumentsApi(configuration).uploadDocument({
  xCompanyId,
  id,
  file,
  type: DocumentType.Contract,
});
console.log(`uploaded: ${document.name}, ${document.type}, ${document.size} bytes`);

try {
  await collaborators.createCollaborator({ xCompanyId, collaboratorCreate: person(1) });
  check('a duplicate is rejected', false);
} catch (rejected) {
  check('a response', rejected instanceof ResponseError);
  const { error, details } = (await rejected.response.json()) as {
    error: string;
    details: Record<string, { code: string }[]>;
  };
  console.log(`rejected: ${error}, email ${details.email?.[0]?.code}`);
}
