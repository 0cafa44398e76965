import { randomBytes } from 'node:crypto';
import { createFileLinks, type LinkedFile } from '../../../src/platform/files/links.ts';
import { newKey } from '../../../src/platform/files/storage.ts';

const company_id = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const other_company = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a31';
const base_url = 'https://api.example.com';
const old_key = randomBytes(32);
const new_key = randomBytes(32);

const file: LinkedFile = {
  company_id,
  key: newKey(company_id, 'documents'),
  filename: 'Zoë – “contract”.pdf',
  media_type: 'application/pdf',
  disposition: 'inline',
};

let now_ms = Date.UTC(2026, 4, 4, 10, 20, 30, 500);
const links = (...file_keys: Buffer[]) => createFileLinks({ file_keys }, base_url, () => now_ms);
const tokenOf = (url: string) => url.slice(`${base_url}/files/`.length);
const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error;
  }
};

beforeEach(() => {
  now_ms = Date.UTC(2026, 4, 4, 10, 20, 30, 500);
});

test('a link opens to what it was made from', () => {
  const url = links(new_key).link({ ...file, expires_in_s: 900 });
  expect(url).toMatch(/^https:\/\/api\.example\.com\/files\/[\w-]+$/);
  expect(links(new_key).open(tokenOf(url))).toEqual({ ...file, expires_at: new Date('2026-05-04T10:35:30Z') });
});

test('a link with the longest name fits the contract', () => {
  const url = links(new_key).link({ ...file, filename: '語'.repeat(80), expires_in_s: 900 });
  expect(url.length).toBeLessThanOrEqual(2_048);
  expect(links(new_key).open(tokenOf(url)).filename).toBe('語'.repeat(80));
});

test('it ends when its time is over, and no later', () => {
  const token = tokenOf(links(new_key).link({ ...file, expires_in_s: 900 }));
  now_ms += 899_499;
  expect(links(new_key).open(token).key).toBe(file.key);
  now_ms += 1;
  expect(refusal(() => links(new_key).open(token))).toMatchObject({ status: 410, code: 'file_expired' });
});

test('the same file has the same address for a while, where a day is asked for', () => {
  const long = () => links(new_key).link({ ...file, expires_in_s: 86_400 });
  const first_long = long();
  now_ms += 29 * 60_000;
  expect(long()).toBe(first_long);
  expect(links(new_key).expiry(86_400)).toEqual(new Date('2026-05-05T11:00:00Z'));
});

test('changing anything in a token makes it nobody’s', () => {
  const token = tokenOf(links(new_key).link({ ...file, expires_in_s: 900 }));
  const bytes = Buffer.from(token, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed[i]! ^= 1;
    expect(refusal(() => links(new_key).open(changed.toString('base64url')))).toMatchObject({ status: 404 });
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
])('what was made up is not found: %j', (token) => {
  expect(refusal(() => links(new_key).open(token))).toMatchObject({ status: 404, code: 'not_found' });
});

test('another spelling of the same bytes is not a token', () => {
  const token = tokenOf(links(new_key).link({ ...file, filename: 'ab.pdf', expires_in_s: 900 }));
  const spellings = [`${token}=`, `${token}==`, token.replace(/-/g, '+').replace(/_/g, '/')];
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
  spellings.push(...last.map((letter) => token.slice(0, -1) + letter));
  for (const spelling of spellings.filter((spelling) => spelling !== token)) {
    expect(refusal(() => links(new_key).open(spelling))).toMatchObject({ status: 404 });
  }
});

test('keys rotate: the first signs, all are accepted, a removed one is not', () => {
  const before = tokenOf(links(old_key).link({ ...file, expires_in_s: 900 }));
  const rotated = links(new_key, old_key);
  expect(rotated.open(before).key).toBe(file.key);
  const after = tokenOf(rotated.link({ ...file, expires_in_s: 900 }));
  expect(links(new_key).open(after).key).toBe(file.key);
  expect(refusal(() => links(new_key).open(before))).toMatchObject({ status: 404 });
});

test('no link is made to an object of another company', () => {
  const theirs = newKey(other_company, 'documents');
  expect(() => links(new_key).link({ ...file, key: theirs, expires_in_s: 900 })).toThrow('another company');
  expect(() => links(new_key).link({ ...file, key: '../../etc/passwd', expires_in_s: 900 })).toThrow();
});
