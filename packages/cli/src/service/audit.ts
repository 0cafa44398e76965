/** `audit list`: a company's audit log, as its admins can read it. */

import type { CliContext } from '../terminal/context.ts';
import { type OutputOptions, print, table } from '../terminal/output.ts';
import { type ApiOptions, openApi } from './api.ts';
import type { AuditEntry, CursorPage } from './responses.ts';

type AuditPage = CursorPage<AuditEntry>;

const maxPageSize = 100;

export interface AuditOptions extends ApiOptions, OutputOptions {
  limit: number;
  action?: string;
  /** User id. */
  actor?: string;
  /** Record id. */
  target?: string;
  outcome?: string;
  since?: string;
  until?: string;
}

export async function list(context: CliContext, options: AuditOptions): Promise<void> {
  const { action, actor: actorId, target: targetId, outcome, since, until, limit } = options;
  const filters = { action, actor_id: actorId, target_id: targetId, outcome, since, until };
  const definedFilters = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const api = await openApi(context, options);
  const data: AuditEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null && data.length < limit; ) {
    const query = new URLSearchParams(definedFilters);
    query.set('limit', String(Math.min(maxPageSize, limit - data.length)));
    if (cursor) query.set('cursor', cursor);
    const { body }: { body: AuditPage } = await api.request<AuditPage>('GET', `/v1/audit?${query}`);
    data.push(...body.data);
    cursor = body.pagination.nextCursor;
  }
  const rows = data.map(({ at, action, actor, target, outcome, ip }) => {
    const actorLabel = actor.email ?? actor.user_id ?? actor.type;
    return [at, action, outcome, actorLabel, target ? `${target.type} ${target.id}` : '', ip ?? ''];
  });
  const headers = ['TIME', 'ACTION', 'OUTCOME', 'WHO', 'TARGET', 'FROM'];
  print(options, { data }, table(headers, rows, 'No entries found.'));
}
