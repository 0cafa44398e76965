/** The short trip with orval: one function per operation, which returns a union by status. */
import { type Collaborator, createCollaborator, listCollaborators, uploadDocument } from './client.ts';
import { check, contract_pdf, person, run_id, setting } from './support.ts';

const headers = { 'X-Company-Id': setting('COMPANY_ID') };

const added: Collaborator[] = [];
for (const number of [1, 2, 3]) {
  const created = await createCollaborator(person(number), headers);
  check('a collaborator', created.status === 201);
  added.push(created.data);
}
console.log(`created: ${added.length} collaborators, ${added[0]?.status}`);

let pages = 0;
const listed: string[] = [];
for (let cursor: string | null | undefined; cursor !== null; pages++) {
  const page = await listCollaborators(headers, { search: run_id, limit: 2, ...(cursor && { cursor }) });
  check('a page by cursor', page.status === 200 && page.data.pagination !== undefined);
  listed.push(...page.data.data.map(({ id }) => id));
  cursor = page.data.pagination.nextCursor;
}
check('everyone is listed', listed.join() === added.map(({ id }) => id).join());
console.log(`listed: ${listed.length} collaborators on ${pages} pages`);

const file = { filename: 'contract.pdf', content_base64: contract_pdf.toString('base64') };
const uploaded = await uploadDocument(added[0]?.id ?? '', { ...file, type: 'contract' }, headers);
check('a document', uploaded.status === 201);
console.log(`uploaded: ${uploaded.data.name}, ${uploaded.data.type}, ${uploaded.data.size} bytes`);

const rejected = await createCollaborator(person(1), headers);
check('a validation error', rejected.status === 400 && rejected.data.error === 'validation_error');
console.log(`rejected: ${rejected.data.error}, email ${rejected.data.details?.email?.[0]?.code}`);
