import { wholeNumber } from '../src/commands/shared.ts';

test('a whole number is decimal digits within its limits', () => {
  const read = wholeNumber(1, 100);
  expect(['1', '007', '100'].map(read)).toEqual([1, 7, 100]);
  for (const text of ['0', '101', '0x10', '0b11', '1e1', '10.0', ' 1 ', '+5', '-1', '', '٣']) {
    expect(() => read(text)).toThrow('Must be a whole number from 1 to 100.');
  }
});
