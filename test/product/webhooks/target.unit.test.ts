/** Webhook destinations: what is rejected when saving a URL, and what a connection uses. */
import type { LookupAddress } from 'node:dns';
import { inLanguage } from '../../../src/contract/languages/text.ts';
import {
  AddressRefused,
  type Lookup,
  NotResolved,
  pinnedLookup,
  resolverLookup,
  targetError,
} from '../../../src/product/webhooks/subscriptions/target.ts';
import { type NameServer, nameServer } from '../../helpers/network/dns.ts';
import { withTimeout } from '../../helpers/timing.ts';

const to =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses;
const nowhere: Lookup = async () => {
  throw new Error('no such name');
};
const translated = async (refusal: ReturnType<typeof targetError>) => inLanguage(await refusal, 'en');
const save = (url: string, lookup = to('8.8.8.8')) => translated(targetError(url, { allow_private: false, lookup }));
const saveForDevelopment = (url: string) => translated(targetError(url, { allow_private: true }));

const internal = { code: 'invalid_format', message: expect.stringContaining('Must not lead to a private') };

describe('saving', () => {
  test.each([
    'https://hooks.verdelog.example/collaborators',
    'https://hooks.verdelog.example:443/',
    'https://hooks.verdelog.example:8443/?gate=1',
    'https://hooks.verdelog.example:1024/',
    'https://hooks.verdelog.example:80/',
    'https://8.8.8.8/',
    'https://[2001:4860:4860::8888]/',
    'https://[::ffff:8.8.8.8]/',
    'https://localhost.example/',
  ])('accepts %s', async (url) => {
    expect(await save(url)).toBeUndefined();
  });

  test.each([
    ['http://hooks.verdelog.example/', 'https://'],
    ['ftp://hooks.verdelog.example/', 'https://'],
    ['javascript:alert(1)', 'Must be an address, such as'],
    ['mailto:hooks@verdelog.example', 'Must be an address, such as'],
    ['hooks.verdelog.example', 'Must be an address, such as'],
    ['https://', 'Must be an address, such as'],
    ['https://user@hooks.verdelog.example/', 'user name or password'],
    ['https://user:secret@hooks.verdelog.example/', 'user name or password'],
    ['https://:secret@hooks.verdelog.example/', 'user name or password'],
    ['https://hooks.verdelog.example:22/', 'port'],
    ['https://hooks.verdelog.example:25/', 'port'],
    ['https://hooks.verdelog.example:1023/', 'port'],
    ['https://hooks.verdelog.example:0/', 'port'],
    ['https://a..b/', 'valid DNS name'],
    ['https://xn--/', 'valid DNS name'],
    ['https://*.verdelog.example/', 'valid DNS name'],
    ["https://b.example';/x", 'valid DNS name'],
    ['https://hooks.ver\ndelog.example/', 'Must be an address, such as'],
    ['https://hooks.verdelog.example/ ', 'Must be an address, such as'],
  ])('rejects %s', async (url, message) => {
    expect(await save(url)).toEqual({ code: 'invalid_format', message: expect.stringContaining(message) });
  });

  test.each(['http://a..b/', 'http://xn--/'])('rejects %s in development too', async (url) => {
    expect(await saveForDevelopment(url)).toMatchObject({ code: 'invalid_format' });
  });

  test.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://①②⑦.⓪.⓪.①/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.8:8443/',
    'https://192.168.1.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'https://LOCALHOST:8443/',
    'https://localhost./',
    'https://api.localhost/',
  ])('rejects the internal %s without a lookup', async (url) => {
    let lookups = 0;
    const counted: Lookup = async () => {
      lookups++;
      return ['8.8.8.8'];
    };
    expect(await save(url, counted)).toEqual(internal);
    expect(lookups).toBe(0);
  });

  test('rejects a name that resolves to any internal address', async () => {
    const url = 'https://hooks.verdelog.example/';
    expect(await save(url, to('8.8.8.8', '1.1.1.1'))).toBeUndefined();
    expect(await save(url, to('127.0.0.1'))).toEqual(internal);
    expect(await save(url, to('8.8.8.8', '10.0.0.1'))).toEqual(internal);
    expect(await save(url, to('8.8.8.8', 'fd00::1'))).toEqual(internal);
    expect(await save(url, to('2001:4860:4860::8888', '::ffff:10.0.0.1'))).toEqual(internal);
  });

  test('accepts a name that doesn’t resolve yet', async () => {
    expect(await save('https://not-yet.verdelog.example/', nowhere)).toBeUndefined();
    expect(await save('https://not-yet.verdelog.example/', to())).toBeUndefined();
  });

  test('waits at most two seconds for a name', async () => {
    const started = performance.now();
    const saved = save('https://slow.verdelog.example/', () => new Promise(() => {}));
    expect(await withTimeout(3_000, saved)).toBeUndefined();
    expect(performance.now() - started).toBeGreaterThan(1_900);
  });

  test('accepts private addresses and plain HTTP in development, but no password', async () => {
    expect(await saveForDevelopment('http://127.0.0.1:3000/hooks')).toBeUndefined();
    expect(await saveForDevelopment('http://localhost:3000/hooks')).toBeUndefined();
    expect(await saveForDevelopment('https://10.0.0.8/')).toBeUndefined();
    expect(await saveForDevelopment('http://user:secret@localhost:3000/')).toMatchObject({ code: 'invalid_format' });
    expect(await saveForDevelopment('ftp://localhost/')).toEqual({
      code: 'invalid_format',
      message: 'Must begin with https:// or http://.',
    });
    expect(await save('http://hooks.verdelog.example/')).toMatchObject({ message: 'Must begin with https://.' });
  });
});

describe('connecting', () => {
  let server: NameServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function connect(lookup: Lookup, { allow_private: allowPrivate = false, all = true } = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<string | LookupAddress[]>();
    pinnedLookup(lookup, { allow_private: allowPrivate })('hooks.verdelog.example', { all }, (error, found) => {
      if (error) reject(error);
      else resolve(found);
    });
    return promise;
  }

  test('uses the addresses that were checked', async () => {
    expect(await connect(to('8.8.8.8', '2001:4860:4860::8888'))).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2001:4860:4860::8888', family: 6 },
    ]);
    expect(await connect(to('8.8.8.8', '1.1.1.1'), { all: false })).toBe('8.8.8.8');
    expect(await connect(to('10.0.0.1'), { allow_private: true })).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  test('fails if one is rejected, or there is none', async () => {
    await expect(connect(to('10.0.0.1'))).rejects.toBeInstanceOf(AddressRefused);
    await expect(connect(to('8.8.8.8', '10.0.0.1'))).rejects.toBeInstanceOf(AddressRefused);
    await expect(connect(to('8.8.8.8', '::1'), { all: false })).rejects.toBeInstanceOf(AddressRefused);
    await expect(connect(to())).rejects.toBeInstanceOf(NotResolved);
    await expect(connect(nowhere)).rejects.toBeInstanceOf(NotResolved);
  });

  test('rejects a name that became private after saving', async () => {
    server = await nameServer(['8.8.8.8'], ['127.0.0.1']);
    const lookup = resolverLookup(server.resolver);
    expect(await save('https://hooks.verdelog.example/', lookup)).toBeUndefined();
    await expect(connect(lookup)).rejects.toBeInstanceOf(AddressRefused);
  });

  test('looks a name up once, so it can’t change between check and connection', async () => {
    server = await nameServer(['8.8.8.8'], ['127.0.0.1']);
    expect(await connect(resolverLookup(server.resolver))).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(server.questions).toBe(1);
  });

  test('looks up both address families, and one suffices', async () => {
    server = await nameServer(['8.8.8.8', '2001:4860:4860::8888'], ['2001:4860:4860::8844'], undefined, 'silence');
    const lookup = resolverLookup(server.resolver);
    expect(await lookup('hooks.verdelog.example')).toEqual(['8.8.8.8', '2001:4860:4860::8888']);
    expect(await lookup('hooks.verdelog.example')).toEqual(['2001:4860:4860::8844']);
    await expect(lookup('hooks.verdelog.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(lookup('hooks.verdelog.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});
