// Operations on files: documents and photos.
import { createHash, randomBytes } from 'node:crypto';
import { counted } from '../model.ts';
import type { Staff } from '../staff.ts';
import { formOf } from './form.ts';

const largestDocumentBytes = 60_000;

/** Operations by name. @param photos images for profile photos */
export function documentOperations(staff: Staff, photos: readonly Buffer[]) {
  const { client, model, trafficLog, random } = staff;
  const operations = {
    async upload() {
      const person = staff.someone();
      if (!person) return;
      const content = Buffer.concat([
        Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%'),
        Buffer.from(randomBytes(random.below(largestDocumentBytes / 2)).toString('hex')),
        Buffer.from('\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'),
      ]);
      const path = `/v1/collaborators/${person.id}/documents`;
      const form = formOf(content, 'contract.pdf', 'application/pdf', { type: 'contract' });
      const response = await client.send('upload', { method: 'POST', path, form });
      if (!response) {
        person.doubt = { action: 'document_uploaded', fields: person.fields };
        model.unsureDocuments.set(person.id, (model.unsureDocuments.get(person.id) ?? 0) + 1);
      } else if (response.status === 201) {
        const sha256 = createHash('sha256').update(content).digest('hex');
        person.documents.push({ id: response.body.id, sha256, deleted: false });
        counted(person, 'document_uploaded');
      }
    },
    async download() {
      const person = staff.someone(({ documents }) => documents.some(({ deleted }) => !deleted));
      if (!person) return operations.upload();
      const document = random.pick(person.documents.filter(({ deleted }) => !deleted));
      const path = `/v1/collaborators/${person.id}/documents/${document.id}`;
      const response = await client.send('document', { method: 'GET', path });
      if (response?.status !== 200) return;
      const bytes = await client.download('download', response.body.url);
      if (bytes && createHash('sha256').update(bytes).digest('hex') !== document.sha256) {
        trafficLog.violation(`document ${document.id} came with other bytes`);
      }
    },
    async deleteDocument() {
      const person = staff.someone(({ documents }) => documents.some(({ deleted }) => !deleted));
      if (!person) return;
      const document = random.pick(person.documents.filter(({ deleted }) => !deleted));
      const path = `/v1/collaborators/${person.id}/documents/${document.id}`;
      const response = await client.send('deleteDocument', { method: 'DELETE', path, expected: [404] });
      if (!response) {
        person.doubt = { action: 'document_deleted', fields: person.fields };
        person.documents.splice(person.documents.indexOf(document), 1);
      } else if (response.status < 400 || response.repeated) {
        document.deleted = true;
        counted(person, 'document_deleted');
      } else trafficLog.violation(`an acknowledged document was not found: ${document.id}`);
    },
    async photo() {
      const person = staff.someone(({ has_photo: hasPhoto }) => !hasPhoto);
      if (!person || photos.length === 0) return;
      const path = `/v1/collaborators/${person.id}/photo`;
      const form = formOf(random.pick(photos), 'photo.png', 'image/png', {}, 'file');
      // A PUT has no idempotency key: an attempt without a response may have added a change.
      const response = await client.send('photo', { method: 'PUT', path, form });
      if (!response || response.repeated) person.doubt = { action: 'photo_updated', fields: person.fields };
      if (response && response.status < 400) {
        person.has_photo = true;
        counted(person, 'photo_updated');
      }
    },
  };
  return operations;
}
