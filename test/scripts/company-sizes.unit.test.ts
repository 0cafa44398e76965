import { companySizes, small, sum } from '../../scripts/bench/scale/company-sizes.ts';

test.each([
  [10_000_000, 10_000, 500_000],
  [100_000, 100, 5_000],
])('%d people in %d companies, one of which has %d', (people, companies, largest) => {
  const sizes = companySizes(people, companies, largest);
  expect(sizes).toHaveLength(companies);
  expect(sizes[0]).toBe(largest);
  expect(sizes.at(-1)).toBe(small);
  expect(Math.abs(sum(sizes) - people) / people).toBeLessThan(0.01);
  expect(sizes.slice(0, -1)).toEqual(sizes.slice(0, -1).sort((a, b) => b - a));
});
