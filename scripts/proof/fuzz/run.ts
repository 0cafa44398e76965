// Fuzzes one operation with requests of each kind, and shrinks the first violation to a minimal example.
import fc from 'fast-check';
import { violations } from './check.ts';
import { curl } from './curl.ts';
import { hostileRequests } from './hostile-requests.ts';
import { invalidRequests } from './invalid-requests.ts';
import { bytesOf, type ContractOperation, type FuzzRequest, validRequests } from './requests.ts';
import { type FuzzResponse, responseTimeoutMs, type Sent, send } from './send.ts';
import type { World } from './world.ts';

export interface Tally {
  operationId: string;
  requests: number;
  responses: Map<number, number>;
  slowestMs: number;
  violations: Violation[];
}

export interface Violation {
  /** Violated invariants. */
  sentences: string[];
  /** For reproduction: `SEED=… OPERATION=…`, or the curl command. */
  seed: number;
  curl: string;
}

interface Trial {
  seed: number;
  /** Requests of each kind: valid, with one error, hostile. */
  runs: number;
}

/** Time limit per operation and kind of request, including shrinking. */
const maxTrialMs = 120_000;

export async function tryOperation(world: World, each: ContractOperation, { seed, runs }: Trial): Promise<Tally> {
  const { operationId } = each.operation;
  const tally: Tally = { operationId, requests: 0, responses: new Map(), slowestMs: 0, violations: [] };
  const kinds = [validRequests(each), invalidRequests(each), hostileRequests(each)];
  for (const requests of kinds) {
    if (!requests) continue;
    let last: { sent: Sent; sentences: string[] } | undefined;
    const property = fc.asyncProperty(requests, async (request) => {
      const { sent, response, sentences } = await attempt(world, request);
      tally.requests += 1;
      if (response) {
        tally.responses.set(response.status, (tally.responses.get(response.status) ?? 0) + 1);
        tally.slowestMs = Math.max(tally.slowestMs, response.duration_ms);
      }
      if (sentences.length === 0) return true;
      last = { sent, sentences };
      return false;
    });
    const result = await fc.check(property, { seed, numRuns: runs, interruptAfterTimeLimit: maxTrialMs });
    if (result.failed && last) {
      tally.violations.push({ sentences: last.sentences, seed, curl: curl(world.base_url, last.sent) });
    }
  }
  return tally;
}

/** Sends a request; retries if another request has deleted the record it refers to. */
async function attempt(world: World, request: FuzzRequest) {
  const first = await once(world, request);
  const kind = /(?:\{\{|%7B%7B)([\w/-]+)(?::|%3A)/.exec(request.path + request.query)?.[1];
  if (!kind || first.response?.status !== 404 || request.expected.kind === 'nasty') return first;
  await world.refresh(kind.split('/')[0]!);
  if (kind.includes('/')) await world.refresh(kind);
  return once(world, request);
}

async function once(
  world: World,
  request: FuzzRequest,
): Promise<{ sent: Sent; response?: FuzzResponse; sentences: string[] }> {
  const sent = toSend(world, request);
  try {
    const response = await send(world.base_url, sent);
    return { sent, response, sentences: violations(sent.method, sent.path.split('?')[0]!, request.expected, response) };
  } catch (error) {
    const late = (error as Error).name === 'TimeoutError' || (error as Error).name === 'AbortError';
    return {
      sent,
      sentences: [late ? `no response within ${responseTimeoutMs} ms` : `no response: ${(error as Error).message}`],
    };
  }
}

function toSend(world: World, { caller, method, path, query, headers, body }: FuzzRequest): Sent {
  const { token, company_id: companyId } = world.callers[caller];
  const own: [string, string][] = [
    ['Authorization', `Bearer ${token}`],
    ['X-Company-Id', companyId],
  ];
  const givenNames = new Set(headers.map(([name]) => name.toLowerCase()));
  const bytes = bytesOf(body);
  return {
    method,
    path: fillIn(world, path) + fillIn(world, query, encodeURIComponent),
    headers: [...own.filter(([name]) => !givenNames.has(name.toLowerCase())), ...headers],
    body: bytes?.includes('{{') ? Buffer.from(fillIn(world, bytes.toString('latin1')), 'latin1') : bytes,
    alone: headers.some(([name]) =>
      /^(content-length|transfer-encoding|connection|upgrade|expect|content-encoding)$/i.test(name),
    ),
  };
}

const unknownId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';

/** Replaces placeholders with real ids, including percent-encoded placeholders. */
export function fillIn(world: World, text: string, encode = (id: string) => id): string {
  return text.replace(/(?:\{\{|%7B%7B)([\w/-]+)(?::|%3A)(\d+)(?:\}\}|%7D%7D)/g, (_, kind: string, n: string) => {
    const ids = world.ids.get(kind) ?? [];
    const id = ids[Number(n) % Math.max(1, ids.length)];
    if (!id) return unknownId;
    return id.includes('/') ? `${id.split('/')[0]}/${kind.split('/')[1]}/${id.split('/')[1]}` : encode(id);
  });
}
