/** The origins that redirect URIs of clients stand for. */
import { allowedBy } from '../../src/identity/clients/page-origins.ts';

const web = allowedBy(['https://app.example/callback', 'https://b.example:8443/x?y=1', 'https://ÄPP.example/']);
const local = allowedBy(['http://127.0.0.1/callback', 'http://[::1]:4000/']);

test.each(['https://app.example', 'https://b.example:8443', 'https://xn--pp-uia.example'])('allows %s', (origin) => {
  expect([web(origin), local(origin)]).toEqual([true, false]);
});

test.each(['http://127.0.0.1', 'http://127.0.0.1:5173', 'http://[::1]', 'http://[::1]:3000'])(
  'allows %s on any port, because a loopback address is registered',
  (origin) => expect([web(origin), local(origin)]).toEqual([false, true]),
);

test.each([
  'null',
  '',
  'http://localhost:5173',
  'https://127.0.0.1:5173',
  'http://127.0.0.1:80',
  'http://127.0.0.1:05173',
  'http://127.0.0.1:5173/',
  'http://0x7f.1',
  'http://127.0.0.1@evil.example',
  'http://[0:0:0:0:0:0:0:1]',
  'https://b.example',
  'https://app.example:443',
])('rejects %j', (origin) => {
  expect([web(origin), local(origin)]).toEqual([false, false]);
});

test('a custom URI scheme stands for no origin', () => {
  const allows = allowedBy(['com.example.app:/callback', 'com.example.app://host/callback']);
  for (const origin of ['null', 'com.example.app:', 'com.example.app://host']) expect(allows(origin)).toBe(false);
});

test('any change to an origin makes it a different one', () => {
  const characters = [...' \t\0/:.@#?%*,aA0-_\\éㅤ‮'];
  for (const origin of ['https://app.example', 'https://b.example:8443']) {
    for (let at = 0; at <= origin.length; at++) {
      for (const character of characters) {
        for (const changed of [at, at + 1].map((end) => origin.slice(0, at) + character + origin.slice(end))) {
          if (changed !== origin) expect([changed, web(changed), local(changed)]).toEqual([changed, false, false]);
        }
      }
    }
  }
});
