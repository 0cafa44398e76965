/** What an import is to whoever looks at it: a file that was only checked is another thing than one that was imported. */
import { type Import, isUnderWay } from '../../api/imports.ts';
import type { Tone } from '../../parts/small.tsx';

type ImportState =
  | 'queued'
  | 'validating'
  | 'processing'
  | 'checked'
  | 'checked-faults'
  | 'completed'
  | 'completed-faults'
  | 'failed'
  | 'question'
  | 'cancelled'
  | 'discarded';

/** What is unclear about columns is a question, not a failure. */
export function stateOf({ status, dry_run: dryRun, failure, columns }: Import): ImportState {
  if (status === 'needs_answers' || (failure?.reason === 'unreadable' && columns.length > 0)) return 'question';
  if (status === 'completed') return dryRun ? 'checked' : 'completed';
  if (status === 'completed_with_errors') return dryRun ? 'checked-faults' : 'completed-faults';
  if (status === 'cancelled') return dryRun ? 'discarded' : 'cancelled';
  return status;
}

const tones: Partial<Record<ImportState, Tone>> = {
  checked: 'good',
  completed: 'good',
  question: 'waiting',
  'checked-faults': 'waiting',
  'completed-faults': 'waiting',
  failed: 'bad',
};

export function toneOf(job: Import): Tone {
  return tones[stateOf(job)] ?? (isUnderWay(job) ? 'waiting' : 'quiet');
}

/** Whether something is wrong with the columns: then no row was looked at. */
export function hasHeaderFaults({ failure }: Pick<Import, 'failure'>): boolean {
  return failure?.reason === 'unreadable' || failure?.reason === 'insufficient_scope';
}

/** Whether it was checked, and what it would do can be carried out or left. */
export function isReady(job: Import): boolean {
  return ['checked', 'checked-faults'].includes(stateOf(job));
}
