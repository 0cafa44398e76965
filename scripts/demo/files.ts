/** Chapter: upload files with forms, and download them with expiring links. */
import sharp from 'sharp';
import { expect, type Step, type StepResponse, type Trip } from './story.ts';

/** State shared by this chapter's steps. */
const state = { document_id: '', url: '' };

const certificate = Buffer.from(`%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`);

export const files: Step[] = [
  {
    title: 'The admin uploads a certificate, and fetches it by its link, without a token',
    async run(trip) {
      const { body } = await upload(trip, certificate, 'certificado nº 7.pdf', { type: 'certificate' }, 201);
      trip.print(`  ${body.name}, ${body.media_type}, ${body.size} bytes, type ${body.type}`);
      const { bytes, headers } = await fetchFile(trip, body.url, 200);
      expect('what was fetched', bytes.equals(certificate), true);
      trip.print(`  the same ${bytes.length} bytes; ${headers.get('content-disposition')}`);
      state.document_id = body.id;
      state.url = body.url;
    },
  },
  {
    title: 'A link that was changed is no link, and half of a file can be had',
    async run(trip) {
      const last = state.url.at(-9) === 'A' ? 'B' : 'A';
      await fetchFile(trip, `${state.url.slice(0, -9)}${last}${state.url.slice(-8)}`, 404);
      const { bytes, headers } = await fetchFile(trip, state.url, 206, { Range: 'bytes=0-7' });
      expect('the first bytes', bytes.toString(), '%PDF-1.7');
      trip.print(`  ${headers.get('content-range')}: ${bytes}`);
    },
  },
  {
    title: 'A page of HTML in the clothes of a PDF is refused, and so is an unknown type',
    async run(trip) {
      const page = Buffer.from('<!doctype html><script>alert(1)</script>');
      const { body } = await upload(trip, page, 'invoice.pdf', { type: 'invoice' }, 400);
      expect('the fields', Object.keys(body.details).sort(), ['file', 'type']);
      for (const [field, [error]] of Object.entries(body.details as Record<string, [{ message: string }]>)) {
        trip.print(`  ${field}: ${error.message}`);
      }
    },
  },
  {
    title: 'A medical document is for admins and the person; for the manager it doesn’t exist',
    async run(trip) {
      const { body } = await upload(trip, certificate, 'atestado.pdf', { type: 'medical' }, 201);
      const { company_id: companyId, tokens } = trip;
      const list = (token: string) =>
        trip.request('GET', documents(trip), { token, company_id: companyId, status: 200 });
      const [all, some] = [await list(tokens.admin), await list(tokens.manager)];
      const totals = [all.body.pagination.total, some.body.pagination.total];
      expect('how many the admin and the manager see', totals, [2, 1]);
      await trip.request('GET', `${documents(trip)}/${body.id}`, {
        token: tokens.manager,
        company_id: companyId,
        status: 404,
      });
      trip.print(`  the admin sees ${totals[0]} documents, the manager ${totals[1]}`);
    },
  },
  {
    title: 'A photo becomes a small square without anything else in it',
    async run(trip) {
      const picture = sharp({ create: { width: 900, height: 600, channels: 3, background: '#2f6f4f' } });
      const jpeg = await picture
        .withExif({ IFD0: { Artist: 'Somebody' } })
        .jpeg()
        .toBuffer();
      const { company_id: companyId, tokens, created } = trip;
      const as = { token: tokens.admin, company_id: companyId };
      const path = `/v1/collaborators/${created[0]!.id}/photo`;
      const { body } = await trip.request('PUT', path, {
        ...as,
        body: { content_base64: jpeg.toString('base64') },
        status: 200,
      });
      const { bytes } = await fetchFile(trip, body.avatar_url, 200);
      const { format, width, height, exif } = await sharp(bytes).metadata();
      expect('the picture', [format, width, height, exif], ['webp', 512, 512, undefined]);
      trip.print(`  900×600 JPEG with an author → ${width}×${height} ${format} without one`);
      await trip.request('DELETE', path, { ...as, status: 200 });
      await fetchFile(trip, body.avatar_url, 404);
    },
  },
  {
    title: 'The certificate is deleted, and its link with it',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      await trip.request('DELETE', `${documents(trip)}/${state.document_id}`, { ...as, status: 200 });
      await fetchFile(trip, state.url, 404);
    },
  },
];

function documents({ created }: Trip): string {
  return `/v1/collaborators/${created[0]!.id}/documents`;
}

function upload(
  trip: Trip,
  file: Buffer<ArrayBuffer>,
  name: string,
  fields: Record<string, string>,
  status: number,
): Promise<StepResponse> {
  const form = new FormData();
  form.append('file', new Blob([file], { type: 'application/pdf' }), name);
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const as = { token: trip.tokens.admin, company_id: trip.company_id };
  return trip.request('POST', documents(trip), { ...as, form, status });
}

/** Downloads as a browser does: only with the link. */
async function fetchFile({ print }: Trip, url: string, status: number, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
  const bytes = Buffer.from(await response.arrayBuffer());
  print(`GET ${new URL(url).pathname.slice(0, 20)}… → ${response.status}`);
  expect(`the status of ${url}`, response.status, status);
  return { bytes, headers: response.headers };
}
