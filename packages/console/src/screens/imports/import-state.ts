/** Display state of an import: a dry run differs from an import. */
import { type Import, isUnderWay } from '../../api/imports.ts';
import type { Tone } from '../../parts/small.tsx';

type ImportState =
  | 'queued'
  | 'validating'
  | 'processing'
  | 'checked'
  | 'checked-errors'
  | 'completed'
  | 'completed-errors'
  | 'failed'
  | 'question'
  | 'cancelled'
  | 'discarded';

/** Unclear columns are a question to the user, not a failure. */
export function stateOf({ status, dry_run: dryRun, failure, columns }: Import): ImportState {
  if (status === 'needs_answers' || (failure?.reason === 'unreadable' && columns.length > 0)) return 'question';
  if (status === 'completed') return dryRun ? 'checked' : 'completed';
  if (status === 'completed_with_errors') return dryRun ? 'checked-errors' : 'completed-errors';
  if (status === 'cancelled') return dryRun ? 'discarded' : 'cancelled';
  return status;
}

const tones: Partial<Record<ImportState, Tone>> = {
  checked: 'good',
  completed: 'good',
  question: 'waiting',
  'checked-errors': 'waiting',
  'completed-errors': 'waiting',
  failed: 'bad',
};

export function toneOf(job: Import): Tone {
  return tones[stateOf(job)] ?? (isUnderWay(job) ? 'waiting' : 'quiet');
}

/** Whether the header row has errors; then no row was read. */
export function hasHeaderErrors({ failure }: Pick<Import, 'failure'>): boolean {
  return failure?.reason === 'unreadable' || failure?.reason === 'insufficient_scope';
}

/** Whether it is a dry run that can be committed or discarded. */
export function isReady(job: Import): boolean {
  return ['checked', 'checked-errors'].includes(stateOf(job));
}
