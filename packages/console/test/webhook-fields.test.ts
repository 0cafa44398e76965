/** When the endpoint form warns that stored header values will be lost. */
import { changesOrigin } from '../src/screens/webhooks/settings/webhook-fields.ts';

const before = 'https://hooks.example.com/in';

test.each(['http://hooks.example.com/in', 'https://hooks.example.org/in', 'https://hooks.example.com:8443/in'])(
  '%s leads elsewhere',
  (url) => {
    expect(changesOrigin(before, url)).toBe(true);
  },
);

test.each(['https://HOOKS.example.com:443/other?x', ' https://hooks.example.com ', 'https:', ''])(
  '%j does not',
  (url) => {
    expect(changesOrigin(before, url)).toBe(false);
  },
);

test('a new endpoint has nothing stored', () => {
  expect(changesOrigin(undefined, before)).toBe(false);
});
