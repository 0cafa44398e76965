/** Uploads documents as clients do, and inspects the storage. */
import sharp from 'sharp';
import type supertest from 'supertest';
import { createStorage } from '../../../src/platform/files/context.ts';
import { markKey } from '../../../src/platform/files/store/storage.ts';
import type { TestApp, TestClient } from '../app.ts';

export const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

export interface UploadParts {
  file?: Buffer;
  filename?: string;
  media_type?: string;
  /** Null omits the part. */
  type?: string | null;
  description?: string;
}

export function withForm(request: supertest.Test, parts: UploadParts = {}): supertest.Test {
  const { file = pdf, filename = 'contract.pdf', media_type: mediaType, type = 'contract', description } = parts;
  request.attach('file', file, { filename, ...(mediaType && { contentType: mediaType }) });
  if (type !== null) request.field('type', type);
  if (description !== undefined) request.field('description', description);
  return request;
}

export function upload(client: TestClient, collaboratorId: string, parts: UploadParts = {}): supertest.Test {
  return withForm(client.post(`/v1/collaborators/${collaboratorId}/documents`), parts);
}

export async function addDocument(app: TestApp, collaboratorId: string, parts: UploadParts = {}): Promise<string> {
  return (await upload(app.admin, collaboratorId, parts).expect(201)).body.id;
}

export async function objects({ config }: TestApp): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of createStorage(config).list()) if (key !== markKey) keys.push(key);
  return keys;
}

export function picture(width = 600, height = 400): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3377cc' } })
    .png()
    .toBuffer();
}

/** Fetches a link without a token, as a browser does. */
export async function fetchFile(url: string): Promise<{ status: number; type: string | null; bytes: Buffer }> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes };
}
