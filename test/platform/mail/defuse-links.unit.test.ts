/** Texts chosen by people that email programs would turn into links. */
import { defuseLinks } from '../../../src/platform/mail/defuse-links.ts';

const changed: [words: string, defused: string][] = [
  ['Prize! https://evil.example/1', 'Prize! https: //evil. example/1'],
  ['HTTP://EVIL.EXAMPLE', 'HTTP: //EVIL. EXAMPLE'],
  ['www.evil.example', 'www. evil. example'],
  ['evil.example', 'evil. example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva. example'],
  ['bücher.example', 'bücher. example'],
  ['例え。テスト', '例え. テスト'],
  ['evil．example', 'evil. example'],
  ['https://192.0.2.1/x', 'https: //192.0.2.1/x'],
  ['help@evil.example', 'help @ evil. example'],
  ['mailto:help@evil.example', 'mailto: help @ evil. example'],
  ['tel:+351900000000', 'tel: +351900000000'],
];

test.each(changed)('defuses %s', (words, defused) => {
  expect(defuseLinks(words)).toBe(defused);
});

test.each([
  'Inês Duarte',
  'Dr. A. B. Silva, Jr.',
  'Verde & Filhos, Lda.',
  'Studio 2.0',
  "O'Neill (Porto): Fleet",
  '山田 太郎',
])('keeps %s', (words) => {
  expect(defuseLinks(words)).toBe(words);
});
