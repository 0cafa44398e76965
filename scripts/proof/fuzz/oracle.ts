// Detects side channels that distinguish another company's records from nonexistent ones: content, cost, or time.
import { contractOperations } from '../../../src/contract/contract.ts';
import { type FuzzResponse, send } from './send.ts';
import type { Side } from './tenants.ts';
import { kinds } from './world.ts';

interface Probe {
  operationId: string;
  method: string;
  /** The same request for a record of another company, and for a nonexistent one. */
  foreign: ProbePath;
  unknown: ProbePath;
}

interface ProbePath {
  path: string;
  body?: object;
}

const unknownId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';

/** One probe per operation with an id in its path. */
export function probes(stranger: Side): Probe[] {
  return contractOperations.flatMap(({ path, method, operation }): Probe[] => {
    const segments = path.split('/').slice(2);
    const kind = segments.filter((_, at) => segments[at + 1]?.startsWith('{')).join('/');
    const id = stranger.world.ids.get(kind)?.[0];
    if (!kinds.some((each) => each === kind) || !id) return [];
    const named = (ids: string[]) => {
      let at = 0;
      return path.replaceAll(/\{\w+\}/g, () => ids[at++]!);
    };
    const body = operation.requestBody?.content['application/json'] ? { body: {} } : {};
    const ids = id.split('/');
    return [
      {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        foreign: { path: named(ids), ...body },
        unknown: { path: named(ids.map(() => unknownId)), ...body },
      },
    ];
  });
}

/** Sends one variant as the admin of a company. */
export function sendProbe({ world }: Side, method: string, { path, body }: ProbePath): Promise<FuzzResponse> {
  const { token, company_id: companyId } = world.callers.admin;
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${token}`],
    ['X-Company-Id', companyId],
  ];
  if (body) headers.push(['Content-Type', 'application/json']);
  return send(world.base_url, { method, path, headers, body: body && Buffer.from(JSON.stringify(body)) });
}

/** Headers that legitimately differ: time and remaining rate limit. */
const ownHeaders = ['date', 'x-request-id', 'ratelimit'];

export function comparable({ status, headers, text }: FuzzResponse): string {
  const shared = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name));
  return JSON.stringify([status, Object.fromEntries(shared), text]);
}

interface Timing {
  operationId: string;
  /** Medians, in ms. */
  foreignMs: number;
  unknownMs: number;
}

/** Alternates between both, so that background load affects both. */
export async function timeProbe(
  own: Side,
  { operationId, method, foreign, unknown }: Probe,
  rounds: number,
): Promise<Timing> {
  const times = { foreign: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['foreign', 'unknown'] as const) : (['unknown', 'foreign'] as const);
    for (const which of order) {
      const { duration_ms: durationMs } = await sendProbe(own, method, which === 'foreign' ? foreign : unknown);
      times[which].push(durationMs);
    }
  }
  return { operationId, foreignMs: median(times.foreign), unknownMs: median(times.unknown) };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Everything a company can read about itself, without parts that expire or change per response. */
export async function readSnapshot({ world }: Side): Promise<Map<string, string>> {
  const snapshot = new Map<string, string>();
  const { token, company_id: companyId } = world.callers.admin;
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${token}`],
    ['X-Company-Id', companyId],
  ];
  for (const { path, method } of contractOperations) {
    // Reading an export creates one, and reading the audit log extends it.
    if (method !== 'get' || /\/export(-excel)?\/|\/audit$/.test(path)) continue;
    const segments = path.split('/').slice(2);
    const kind = segments.filter((_, at) => segments[at + 1]?.startsWith('{')).join('/');
    const ids = kind ? (world.ids.get(kind) ?? []) : [''];
    for (const id of ids) {
      let at = 0;
      const own = path.replaceAll(/\{\w+\}/g, () => id.split('/')[at++]!);
      const response = await send(world.base_url, { method: 'GET', path: own, headers });
      // Links and cursors are encrypted anew each time, and a connection's last use is recorded with a delay.
      const stable = comparable(response).replaceAll(
        /\/files\/[\w.~-]+|(?:nextCursor|position|last_used_at)\W+[\w.~:-]+/g,
        '…',
      );
      snapshot.set(own, stable);
    }
  }
  return snapshot;
}
