// The rule that the reverse of a change has.

/** Pairs of rules that are each other's reverse; a rule may be its own. */
const mirrors: readonly (readonly [string, string])[] = [
  ['limit-loosened', 'limit-tightened'],
  ['null-allowed', 'null-refused'],
  ['enum-value-removed', 'enum-value-added'],
  ['constant-changed', 'constant-changed'],
  ['property-added', 'property-removed'],
  ['parameter-added', 'parameter-removed'],
  ['property-became-required', 'property-became-optional'],
  ['became-required', 'became-optional'],
  ['property-renamed', 'property-renamed'],
  ['parameter-renamed', 'parameter-renamed'],
  ['type-changed', 'type-changed'],
  ['schema-loosened', 'schema-tightened'],
  ['operation-added', 'operation-removed'],
  ['operation-moved', 'operation-moved'],
  ['webhook-added', 'webhook-removed'],
  ['webhook-renamed', 'webhook-renamed'],
  ['operation-id-changed', 'operation-id-changed'],
  ['deprecated', 'deprecation-withdrawn'],
  ['status-added', 'status-removed'],
  ['status-replaced', 'status-replaced'],
  ['status-widened', 'status-narrowed'],
  ['security-changed', 'security-changed'],
  ['security-scheme-changed', 'security-scheme-changed'],
];
const mirrorOf = new Map(mirrors.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

/**
 * Merges rules that differ only in details irrelevant to the reverse: whether an added part is required, whether a status is an
 * error, whether there was an operationId, whether a security alternative was added or relaxed.
 */
export const kindOf = (rule: string): string =>
  rule
    .replace(/^required-(property|parameter)-added$/, '$1-added')
    .replace(/^(success|error)-status-added$/, 'status-added')
    .replace(/^operation-id-added$/, 'operation-id-changed')
    .replace(/^security-(alternative-added|alternative-removed|loosened|tightened)$/, 'security-changed');

/** @throws Error for a rule without a known reverse */
export function mirrored(rule: string): string {
  const mirror = mirrorOf.get(kindOf(rule));
  if (mirror === undefined) throw new Error(`${rule} has no known reverse`);
  return mirror;
}
