// Exact decimal arithmetic for multipleOf, without binary rounding.

/** A decimal as integer digits and a power of ten. */
function decimal(value: number): { digits: bigint; scale: number } | undefined {
  if (!Number.isFinite(value)) return undefined;
  const [mantissa = '', exponent = '0'] = String(value).toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function aligned(a: number, b: number): { a: bigint; b: bigint; scale: number } | undefined {
  const [left, right] = [decimal(a), decimal(b)];
  // Larger scales are beyond any realistic contract.
  if (!left || !right || Math.max(left.scale, right.scale) > 400) return undefined;
  const scale = Math.max(left.scale, right.scale);
  return {
    a: left.digits * 10n ** BigInt(scale - left.scale),
    b: right.digits * 10n ** BigInt(scale - right.scale),
    scale,
  };
}

/** Whether `value` is an integer multiple of `divisor`. */
export function isMultiple(value: number, divisor: number): boolean {
  const pair = aligned(value, divisor);
  return pair !== undefined && pair.b !== 0n && pair.a % pair.b === 0n;
}

/** Least common multiple. @returns undefined when it is not exact */
export function commonMultiple(a: number, b: number): number | undefined {
  const pair = aligned(a, b);
  if (!pair || pair.a <= 0n || pair.b <= 0n) return undefined;
  let [x, y] = [pair.a, pair.b];
  while (y !== 0n) [x, y] = [y, x % y];
  const digits = (pair.a / x) * pair.b;
  const result = Number(digits) / 10 ** pair.scale;
  return digits <= BigInt(Number.MAX_SAFE_INTEGER) ? result : undefined;
}
