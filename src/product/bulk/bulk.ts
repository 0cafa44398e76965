/** Adds and changes up to 1,000 collaborators in one request and one transaction. */
import { setImmediate as pause } from 'node:timers/promises';
import type { components } from '../../../generated/api.ts';
import type { Language } from '../../contract/languages/language.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { lockHierarchy } from '../collaborators/fields/hierarchy.ts';
import { changeStatuses } from '../collaborators/status.ts';
import type { Actor } from '../collaborators/write/change-collaborator.ts';
import { type CountedTransaction, counted } from '../collaborators/write/collaborator-counts.ts';
import { Overtaken, writeMany } from '../collaborators/write/write-many.ts';
import { ValueTaken } from '../custom-fields/in-transaction.ts';
import { emit } from '../events/emit.ts';
import { type Decision, decideAll, itemsAtOnce } from './bulk-decisions.ts';
import { type Item, readItem } from './bulk-items.ts';
import { writableFields } from './bulk-values.ts';

type BulkRequest = components['schemas']['BulkRequest'];
type BulkResult = components['schemas']['BulkResult'];
type BulkItemResult = components['schemas']['BulkItemResult'];

/**
 * Processes the items in order. Admins only.
 * @param allow called before people are added; an error ends the request, and nothing is written
 * @returns one result per item, including its errors
 */
export async function bulk(
  tenant: Tenant,
  viewer: Omit<Viewer, 'tenant'> & { caller: Actor },
  request: BulkRequest,
  language: Language,
  allow: (tx: TenantTransaction, people: number) => Promise<void>,
): Promise<BulkResult> {
  const items: Item[] = [];
  for (const item of request.items) {
    if (items.length % itemsAtOnce === itemsAtOnce - 1) await pause();
    items.push(readItem(item));
  }
  return tenant.transaction(async (tx) => {
    await lockHierarchy(tx);
    const fields = await writableFields(tx, viewer, items);
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const decisions = await decideAll(tx, request, items, viewer, fields);
      const aborted = request.on_error === 'abort' && decisions.some(({ outcome }) => outcome === 'failed');
      const isWritten = !aborted && !request.dry_run;
      const results = decisions.map((decision, index) => ({
        index,
        ref: items[index]!.ref,
        ...resultOf(decision, isWritten, aborted, language),
      }));
      const { mode, on_error: onError = 'continue', dry_run: dryRun = false } = request;
      const result = { mode, on_error: onError, dry_run: dryRun, summary: summaryOf(results), results };
      const people = decisions.filter(({ outcome }) => outcome === 'created').length;
      if (isWritten && people > 0) await allow(tx, people);
      if (!isWritten || (await writeDecisions(tx, viewer.caller, decisions, result))) return result;
    }
    throw new Error('a bulk request was overtaken each time');
  });
}

/** Prevents an endless loop, which would hold the company's locks. */
const maxAttempts = 20;

function resultOf(
  decision: Decision,
  isWritten: boolean,
  aborted: boolean,
  language: Language,
): Omit<BulkItemResult, 'index' | 'ref'> {
  const { outcome } = decision;
  if (outcome === 'failed') return { status: outcome, id: decision.id, error: decision.problem.body(language) };
  const id = outcome !== 'created' ? decision.before.id : isWritten ? decision.addition.id : null;
  return { status: aborted ? 'skipped' : outcome, id, error: null };
}

function summaryOf(results: readonly BulkItemResult[]): BulkResult['summary'] {
  const total = results.length;
  const failed = results.filter(({ status }) => status === 'failed').length;
  const skipped = results.filter(({ status }) => status === 'skipped').length;
  return { total, succeeded: total - failed - skipped, failed, skipped };
}

/** @returns false if an address or id was taken since the decision: then nothing was written, and all decisions are repeated */
async function writeDecisions(
  tx: TenantTransaction,
  actor: Actor,
  decisions: readonly Decision[],
  { mode, on_error: onError, summary }: BulkResult,
): Promise<boolean> {
  const additions = decisions.flatMap((each) => (each.outcome === 'created' ? [each.addition] : []));
  const updates = decisions.flatMap((each) => (each.outcome === 'updated' ? [each] : []));
  const changes = updates.filter(({ set }) => Object.keys(set).length > 0);
  try {
    const write = async (counted: CountedTransaction) => {
      const { changed, left_out: skippedIds } = await writeMany(counted, actor, { additions, changes });
      if (skippedIds.size > 0) throw new Overtaken();
      const rows = new Map(changed.map((row) => [row.id, row]));
      const moves = updates.flatMap(({ before, to }) => (to ? [{ row: rows.get(before.id) ?? before, to }] : []));
      await changeStatuses(counted, actor, moves);
    };
    await tx.attempt(() => counted(tx, write));
  } catch (error) {
    if (error instanceof Overtaken || error instanceof ValueTaken) return false;
    throw error;
  }
  const completedAt = new Date().toISOString();
  emit(tx, 'bulk.completed', {
    mode,
    on_error: onError,
    summary,
    requested_by: actor.user_id,
    completed_at: completedAt,
  });
  return true;
}
