// Compares request, response, and webhook bodies.
import type { Comparison, Pair } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { compareWords } from '../prose.ts';
import { compareContent } from './content.ts';

export function compareBody(comparison: Comparison, pair: Pair, operation: Pair): void {
  const { base, revised } = pair;
  if (!base && !revised) return;
  if (!base || !revised) {
    const required = revised?.get('required') === true;
    const rule = base ? 'body-removed' : required ? 'required-body-added' : 'body-added';
    comparison.report(
      rule,
      operation.below(base, revised, pair.where),
      base ? 'was removed' : `was added${required ? ', and is required' : ''}`,
    );
    return;
  }
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  comparison.reportRequired(pair, base.get('required') === true, revised.get('required') === true);
  compareContent(comparison, pair, pair.traffic.direction === 'emit');
}
