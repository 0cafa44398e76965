/** Photo decoder processes: resource limits, sharing, and shutdown. */
import { readFileSync } from 'node:fs';
import { DecodingError, decoderMemoryMb } from '../../../src/platform/photos/decoder-process.ts';
import { PhotoDecoders, type PhotoDecodersOptions } from '../../../src/platform/photos/decoders.ts';
import { decodersOf, measureDecoderMemory } from '../../helpers/decoders.ts';
import { eventually } from '../../helpers/eventually.ts';
import { jpegOfScans, pngOfTexts } from '../../helpers/hostile-photos.ts';
import { picture } from '../../helpers/resources/documents.ts';

const opened: PhotoDecoders[] = [];
const killed: [companyId: string, message: string][] = [];
function open(settings: PhotoDecodersOptions['settings'] = {}, stopping?: AbortSignal): PhotoDecoders {
  const onKilled = (companyId: string, { failure }: DecodingError) => void killed.push([companyId, failure]);
  const decoders = new PhotoDecoders({
    stopping,
    onKilled,
    settings: { decodeMs: 600_000, waitMs: 600_000, ...settings },
  });
  opened.push(decoders);
  return decoders;
}
afterEach(async () => {
  for (const decoders of opened.splice(0)) decoders.stop();
  killed.length = 0;
  await eventually(() => expect(running()).toEqual([]));
});

const running = () => decodersOf(process.pid);
const as = (bytes: Buffer) => ({ bytes, is_strict: false });
/** Takes the library minutes without interruption. */
const slow = as(jpegOfScans(7_000, 7_000, 30_000));
let small: ReturnType<typeof as>;
beforeAll(async () => {
  small = as(await picture(60, 40));
});

const errorOf = (decoding: Promise<unknown>) =>
  decoding.then(
    () => 'none',
    (error) => (error instanceof DecodingError ? error.failure : Promise.reject(error)),
  );

test('limits the memory of any allocation in the library', async () => {
  const decoders = open();
  const bomb = as(await pngOfTexts('zTXt', 100)); // 800 MB
  const { result, peak_mb: peakMb } = await measureDecoderMemory(process.pid, errorOf(decoders.decode(bomb, 'a')));
  expect(result).toBe('died');
  expect(peakMb).toBeLessThan(decoderMemoryMb + 100);
  expect(killed).toEqual([['a', 'died']]);
  await expect(decoders.decode(small, 'a')).resolves.toBeInstanceOf(Buffer);
});

test('limits the time', async () => {
  const decoders = open({ decodeMs: 200 });
  expect(await errorOf(decoders.decode(slow, 'a'))).toMatch(/^(late|starved)$/);
  await eventually(() => expect(running()).toEqual([]));
});

test('is reused for the next photo, and exits when idle', async () => {
  const decoders = open({ idleMs: 1_000 });
  await decoders.decode(small, 'a');
  const [pid] = running();
  expect(pid).toBeDefined();
  await decoders.decode(small, 'b');
  await expect(decoders.decode(as(Buffer.from('no picture')), 'b')).rejects.toMatchObject({ failure: 'damaged' });
  await decoders.decode(small, 'a');
  expect(running()).toEqual([pid]);
  await eventually(() => expect(running()).toEqual([]));
});

test('inherits nothing from the service’s environment', async () => {
  await open().decode(small, 'a');
  const [pid] = running();
  const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
    .split('\0')
    .map((each) => each.split('=')[0]!)
    .filter((name) => name !== '' && name !== 'PWD' && !name.startsWith('MALLOC_')); // the shell adds its folder
  expect(names).toEqual(['UV_THREADPOOL_SIZE']);
});

test('a company with endless photos leaves a slot to others', async () => {
  const stopping = new AbortController();
  const decoders = open({}, stopping.signal);
  const ends: string[] = [];
  const hostile = [1, 2, 3].map(() => errorOf(decoders.decode(slow, 'a')).then((message) => ends.push(`a ${message}`)));
  await decoders.decode(small, 'b');
  await decoders.decode(small, 'c');
  ends.push('b and c');
  stopping.abort();
  await Promise.all(hostile);
  expect(ends).toEqual(['b and c', 'a ended', 'a ended', 'a ended']);
});

test('limits the queue as a whole and by company', async () => {
  const stopping = new AbortController();
  const decoders = open({ at_once: 1, waiting: 3, waitingPerCompany: 2 }, stopping.signal);
  const send = (companyId: string) => errorOf(decoders.decode(slow, companyId));
  const sent = [send('a'), send('a'), send('a'), send('a'), send('b'), send('b')];
  expect(await Promise.all([sent[3], sent[5]])).toEqual(['busy', 'busy']);
  stopping.abort();
  expect(await Promise.all(sent)).toEqual(['ended', 'ended', 'ended', 'busy', 'ended', 'busy']);
});

test('rejects photos that wait too long', async () => {
  const stopping = new AbortController();
  const decoders = open({ at_once: 1, waitMs: 50 }, stopping.signal);
  const first = errorOf(decoders.decode(slow, 'a'));
  expect(await errorOf(decoders.decode(small, 'b'))).toBe('busy');
  stopping.abort();
  expect(await first).toBe('ended');
});
