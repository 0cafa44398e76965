/** A response that would take minutes to verify is rejected by its size, before its signature is looked at. */
import { parseXml } from '../../../src/product/sign-in-connections/saml/xml.ts';

const response = (content: string) => `<Response>${content}</Response>`;
const namespaces = Array.from({ length: 21 }, (_, n) => `xmlns:a${n}="u"`).join(' ');

test.each([
  ['1,000 elements beside the root', '<a/>'.repeat(1_000), 'too many elements or attributes'],
  ['50,000 elements', '<a/>'.repeat(50_000), 'too many elements'],
  ['2,501 attributes', '<a b="" c="" d=""/>'.repeat(834), 'too many elements or attributes'],
  ['21 namespaces of one element', `<a ${namespaces}/>`, 'an element has too many attributes'],
  ['21 levels', `${'<a>'.repeat(21)}${'</a>'.repeat(21)}`, 'too deep'],
  ['256 K characters', 'x'.repeat(256 * 1024), 'too large'],
])('a response of %s is rejected', (_, content, reason) => {
  expect(() => parseXml(response(content), true)).toThrow(reason);
});

test.each([
  ['999 elements beside the root', '<a/>'.repeat(999)],
  ['20 namespaces of one element', `<a ${namespaces.replace(/ \S+$/, '')}/>`],
  ['20 levels', `${'<a>'.repeat(20)}${'</a>'.repeat(20)}`],
])('a response of %s is read', (_, content) => {
  expect(parseXml(response(content), true).localName).toBe('Response');
});

test('only metadata may have more: 1,000 elements, but not 20,000', () => {
  expect(parseXml(response('<a/>'.repeat(1_000))).localName).toBe('Response');
  expect(() => parseXml(response('<a/>'.repeat(20_000)))).toThrow('too many elements');
});
