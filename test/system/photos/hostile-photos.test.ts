/** Expensive photos sent to a service: its memory stays bounded, other companies get their turn, and no process is left over. */
import { deflateSync } from 'node:zlib';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { decodersOf, isRunning, measureDecoderMemory, peakMb, processorTimeOf } from '../../helpers/decoders.ts';
import { eventually } from '../../helpers/eventually.ts';
import { jpegOfScans, pngFile, pngHeader, pngOfTexts } from '../../helpers/hostile-photos.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { picture } from '../../helpers/resources/documents.ts';

let app: TestApp;
let service: ReturnType<typeof startProcess> | undefined;
let port: number;
let small: Buffer;
beforeAll(async () => {
  app = await testApp();
  small = await picture(60, 40);
});
afterAll(async () => {
  killProcesses();
  await app.close();
});
beforeEach(async () => {
  if (!service || !isRunning(pid())) await start(); // the tests of its end stop it
  expect((await send(app.outsider, small)).status).toBe(200);
});

async function start(): Promise<void> {
  const { folder } = app.config.storage as { folder: string };
  port = await freePort();
  const settings = { DATABASE_URL: app.database.url, STORAGE_URL: `file:${folder}`, BASE_URL: app.base_url };
  service = startProcess({ ...settings, PORT: String(port) }, ['api']);
  await service.ready();
}

const pid = () => service!.child.pid!;

async function send(client: TestClient, photo: Buffer) {
  const form = new FormData();
  form.set('file', new Blob([photo as Buffer<ArrayBuffer>]), 'me');
  const response = await fetch(`http://127.0.0.1:${port}/v1/collaborators/${client.collaborator_id}/photo`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${client.token}`, 'x-company-id': client.company_id },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as { details?: { file: { message: string }[] } } };
}

/** Has as many scans as are allowed. */
const costly = () => jpegOfScans(5_000, 5_000, 100);

test('bombs take no memory of the service, and little of the decoder', async () => {
  const beforeMb = peakMb(pid());
  const bombs = [
    await pngOfTexts('zTXt', 100), // 800 MB in 0.8 MB
    await pngOfTexts('iTXt', 100),
    pngFile(pngHeader(5_200, 5_200, { depth: 16, color: 6, interlaced: true }), [], deflateSync(Buffer.alloc(64))),
    jpegOfScans(7_000, 7_000, 1_000),
  ];
  const sent = Promise.all(bombs.map((bomb) => send(app.employee, bomb)));
  const { result, peak_mb: highestMb } = await measureDecoderMemory(pid(), sent);
  expect(result.map(({ status }) => status)).toEqual([200, 200, 400, 400]); // texts are skipped
  expect(result[2]!.body.details!.file[0]!.message).toMatch(/decoded photo takes more than 200 MB/);
  expect(result[3]!.body.details!.file[0]!.message).toMatch(/more than 100 scans/);
  expect(highestMb).toBeLessThan(300);
  expect(peakMb(pid()) - beforeMb).toBeLessThan(200);
});

test('a stopping service leaves no decoder behind', async () => {
  const [decoder] = decodersOf(pid());
  const before = processorTimeOf(decoder!);
  const sent = Promise.all([1, 2, 3].map(() => send(app.employee, costly())));
  await eventually(() => expect(processorTimeOf(decoder!)).toBeGreaterThan(before + 5));
  service!.child.kill('SIGTERM');
  const statuses = (await sent).map(({ status }) => status);
  expect(statuses).toContain(503); // the queued ones, and the one that takes over a second
  expect(await service!.ended).toBe(0);
  await eventually(() => expect(isRunning(decoder!)).toBe(false));
});

test('a killed service leaves none either', async () => {
  const [decoder] = decodersOf(pid());
  await service!.kill();
  await eventually(() => expect(isRunning(decoder!)).toBe(false));
});
