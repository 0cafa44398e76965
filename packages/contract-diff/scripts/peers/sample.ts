// Random samples of findings.

export function sampled<T>(all: readonly T[], count: number): T[] {
  let state = Number(process.env.SEED ?? 1);
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state;
  };
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ one }) => one);
}
