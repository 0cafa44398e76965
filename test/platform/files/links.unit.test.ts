import { randomBytes } from 'node:crypto';
import { createFileLinks, type LinkedFile } from '../../../src/platform/files/links.ts';
import { newKey } from '../../../src/platform/files/store/storage.ts';

const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const otherCompany = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a31';
const baseUrl = 'https://api.example.com';
const oldKey = randomBytes(32);
const currentKey = randomBytes(32);

const file: LinkedFile = {
  company_id: companyId,
  key: newKey(companyId, 'documents'),
  filename: 'Zoë – “contract”.pdf',
  media_type: 'application/pdf',
  disposition: 'inline',
};

let nowMs = Date.UTC(2026, 4, 4, 10, 20, 30, 500);
const links = (...fileKeys: Buffer[]) => createFileLinks({ fileKeys }, baseUrl, () => nowMs);
const tokenOf = (url: string) => url.slice(`${baseUrl}/files/`.length);
const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error;
  }
};

beforeEach(() => {
  nowMs = Date.UTC(2026, 4, 4, 10, 20, 30, 500);
});

test('opens to what it was made from', () => {
  const url = links(currentKey).link({ ...file, expiresInS: 900 });
  expect(url).toMatch(/^https:\/\/api\.example\.com\/files\/[\w-]+$/);
  expect(links(currentKey).open(tokenOf(url))).toEqual({ ...file, expires_at: new Date('2026-05-04T10:35:30Z') });
});

test('with the longest name fits the contract', () => {
  const url = links(currentKey).link({ ...file, filename: '語'.repeat(80), expiresInS: 900 });
  expect(url.length).toBeLessThanOrEqual(2_048);
  expect(links(currentKey).open(tokenOf(url)).filename).toBe('語'.repeat(80));
});

test('expires on time, and not earlier', () => {
  const token = tokenOf(links(currentKey).link({ ...file, expiresInS: 900 }));
  nowMs += 899_499;
  expect(links(currentKey).open(token).key).toBe(file.key);
  nowMs += 1;
  expect(refusal(() => links(currentKey).open(token))).toMatchObject({ status: 410, code: 'file_expired' });
});

test('is stable for a while if a day is requested', () => {
  const long = () => links(currentKey).link({ ...file, expiresInS: 86_400 });
  const firstLong = long();
  nowMs += 29 * 60_000;
  expect(long()).toBe(firstLong);
  expect(links(currentKey).expiry(86_400)).toEqual(new Date('2026-05-05T11:00:00Z'));
});

test('is invalid after any change to the token', () => {
  const token = tokenOf(links(currentKey).link({ ...file, expiresInS: 900 }));
  const bytes = Buffer.from(token, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed[i]! ^= 1;
    expect(refusal(() => links(currentKey).open(changed.toString('base64url')))).toMatchObject({ status: 404 });
  }
});

test.each([
  '',
  'x',
  '..',
  '%00',
  'A'.repeat(43),
  'A'.repeat(5_000),
  Buffer.alloc(32).toString('base64url'),
  Buffer.concat([Buffer.alloc(32), Buffer.from('{}')]).toString('base64url'),
])('isn’t found if forged: %j', (token) => {
  expect(refusal(() => links(currentKey).open(token))).toMatchObject({ status: 404, code: 'not_found' });
});

test('rejects another encoding of the same bytes', () => {
  const token = tokenOf(links(currentKey).link({ ...file, filename: 'ab.pdf', expiresInS: 900 }));
  const spellings = [`${token}=`, `${token}==`, token.replace(/-/g, '+').replace(/_/g, '/')];
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
  spellings.push(...last.map((letter) => token.slice(0, -1) + letter));
  for (const spelling of spellings.filter((spelling) => spelling !== token)) {
    expect(refusal(() => links(currentKey).open(spelling))).toMatchObject({ status: 404 });
  }
});

test('rotates keys: the first signs, all verify, a removed one doesn’t', () => {
  const before = tokenOf(links(oldKey).link({ ...file, expiresInS: 900 }));
  const rotated = links(currentKey, oldKey);
  expect(rotated.open(before).key).toBe(file.key);
  const after = tokenOf(rotated.link({ ...file, expiresInS: 900 }));
  expect(links(currentKey).open(after).key).toBe(file.key);
  expect(refusal(() => links(currentKey).open(before))).toMatchObject({ status: 404 });
});

test('can’t be made for an object of another company', () => {
  const foreignKey = newKey(otherCompany, 'documents');
  expect(() => links(currentKey).link({ ...file, key: foreignKey, expiresInS: 900 })).toThrow('another company');
  expect(() => links(currentKey).link({ ...file, key: '../../etc/passwd', expiresInS: 900 })).toThrow();
});
