import { Counter, type Registry } from 'prom-client';
import type { Outcome } from './syncs.ts';

/** Of the API's processes. */
export interface DirectoryMeter {
  /** @param operation of the SCIM document; undefined for other paths, and for requests refused before */
  requested(operation: string | undefined, status: number): void;
  changed(kind: 'person' | 'group', outcome: Outcome): void;
}

export function createDirectoryMeter(registry: Registry): DirectoryMeter {
  const requests = new Counter({
    name: 'scim_requests_total',
    help: 'Finished requests of identity providers, by SCIM operation and result.',
    labelNames: ['operation', 'result'],
    registers: [registry],
  });
  const changes = new Counter({
    name: 'directory_changes_total',
    help: 'People and groups sent by identity providers, by outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return {
    requested: (operation = 'unknown', status) => requests.inc({ operation, result: resultOf(status) }),
    changed: (kind, outcome) => changes.inc({ kind, outcome }),
  };
}

function resultOf(status: number): string {
  if (status < 400) return 'succeeded';
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  return status < 500 || status === 501 ? 'refused' : 'failed'; // 501: an optional part of SCIM that isn't offered
}

/** Of workers, which end synchronizations. */
export interface SyncMeter {
  ended(outcome: 'succeeded' | 'failed'): void;
}

export function createSyncMeter(registry: Registry): SyncMeter {
  const syncs = new Counter({
    name: 'directory_syncs_total',
    help: 'Finished synchronizations; failed if any change was rejected.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['succeeded', 'failed']) syncs.inc({ outcome }, 0); // so that the first failure is an increase
  return { ended: (outcome) => syncs.inc({ outcome }) };
}
