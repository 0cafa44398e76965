/**
 * `Idempotency-Key`: a client that got no response can retry safely; the request runs once.
 *
 * The key's row commits in the transaction of the work, so neither exists without the other. A key is scoped to a user, client,
 * role, and set of scopes; what else decides what its owner sees, such as a recent sign-in, is checked on each replay
 * (`replayed-answers.ts`). An advisory lock shows that a duplicate is running; a crash leaves neither lock nor row. Stored
 * responses are encrypted, because they may contain a new secret.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Language, languageTags } from '../../../contract/languages/language.ts';
import { asIs, t } from '../../../contract/languages/text.ts';
import { type ErrorCode, Problem } from '../../../contract/problem.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { responseContext } from '../../../platform/secrets/response-context.ts';
import type { SealContext, Vault } from '../../../platform/secrets/secrets.ts';
import { canonicalJson } from '../../../platform/values/canonical-json.ts';
import { replayedHeader } from './replay.ts';
import type { Reply } from './respond.ts';

const retentionH = 24;
/** Errors that a retry would get again. Others (a corrected body, a limit, an outage) are worth a new attempt. */
const storedStatuses = new Set([404, 409, 412, 422]);

interface KeyedRequest {
  key: string;
  client_id: string;
  user_id: string;
  /** A response is only replayed to a caller with the same role and scopes. */
  role: string;
  scopes: readonly string[];
  method: string;
  path: string;
  query: unknown;
  /** Files are represented by what identifies them. The order of members doesn't matter, here and in the query. */
  body: unknown;
  /** The language of an error. It is stored as sent, so that a retry gets the same bytes. */
  language(): Language;
}

/**
 * Runs a request, or replays its stored response.
 * @throws what `run` throws; 409 `idempotency_in_progress`, 422 `idempotency_key_reused`; a stored error again
 */
export async function runOnce(
  tenant: Tenant,
  vault: Vault,
  request: KeyedRequest,
  run: (tenant: Tenant) => Promise<Reply>,
): Promise<Reply> {
  const { client_id: clientId, user_id: userId, method, path, key } = request;
  const keyHash = hash([clientId, userId, method, path, key]);
  const requestHash = hash([request.role, request.scopes.toSorted(), request.query, request.body]);
  const outcome = await tenant.transaction(async (tx) => {
    await claim(tx, keyHash);
    const stored = await find(tx, keyHash);
    if (stored && !stored.request_hash.equals(requestHash)) throw keyReused();
    if (stored) return replay(stored, vault, responseContext(tx.company_id, keyHash));
    const fresh = await attempt(tx, run);
    await store(
      tx,
      vault,
      keyHash,
      requestHash,
      fresh instanceof Problem ? errorReply(fresh, request.language()) : fresh,
    );
    return fresh;
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

/** @throws 409 while a request with this key runs */
async function claim(tx: TenantTransaction, keyHash: Buffer): Promise<void> {
  const name = `idempotency ${tx.company_id} ${keyHash.toString('base64')}`;
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`.execute(tx.raw);
  if (rows[0]?.free) return;
  const headers = { 'Retry-After': '1' };
  throw new Problem(409, 'idempotency_in_progress', t`A request with this Idempotency-Key is still running.`, {
    headers,
  });
}

async function find(tx: TenantTransaction, keyHash: Buffer) {
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'headers', 'body_encrypted'])
    .where('key_hash', '=', keyHash)
    .where('created_at', '>', sql<string>`now() - make_interval(hours => ${retentionH}::int)`)
    .executeTakeFirst();
}

/** An error rolls back the writes of the work; the error itself may be stored. */
async function attempt(tx: TenantTransaction, run: (tenant: Tenant) => Promise<Reply>): Promise<Reply | Problem> {
  try {
    return await tx.attempt(() => run(tx));
  } catch (error) {
    if (error instanceof Problem && storedStatuses.has(error.status)) return error;
    throw error;
  }
}

async function store(
  tx: TenantTransaction,
  vault: Vault,
  keyHash: Buffer,
  requestHash: Buffer,
  { status, headers, body }: Reply,
) {
  const bodyEncrypted = vault.seal(JSON.stringify(body ?? null), responseContext(tx.company_id, keyHash));
  const row = {
    request_hash: requestHash,
    status,
    headers: JSON.stringify(headers ?? {}),
    body_encrypted: bodyEncrypted,
  };
  await tx
    .insertInto('idempotency_keys', { key_hash: keyHash, ...row, created_at: sql`now()` })
    .onConflict((old) =>
      old
        .columns(['company_id', 'key_hash'])
        .doUpdateSet((eb) => ({ ...row, created_at: eb.ref('excluded.created_at') })),
    )
    .execute();
}

function errorReply(problem: Problem, language: Language): Reply {
  const headers = { ...problem.headers, 'Content-Language': languageTags[language] };
  return { status: problem.status, headers, body: problem.body(language) };
}

type Stored = NonNullable<Awaited<ReturnType<typeof find>>>;

function replay(stored: Stored, vault: Vault, context: SealContext): Reply | Problem {
  const body = JSON.parse(vault.open(stored.body_encrypted!, context));
  const headers = { ...(stored.headers as Record<string, string>), [replayedHeader]: 'true' };
  if (stored.status < 400) return { status: stored.status, headers, body };
  const { error, message, details } = body as { error: ErrorCode; message: string; details?: object };
  return new Problem(stored.status, error, asIs(message), { headers, ...(details && { details: { ...details } }) });
}

function keyReused(): Problem {
  return new Problem(
    422,
    'idempotency_key_reused',
    t`This Idempotency-Key was used for another request, or with other permissions.`,
  );
}

function hash(parts: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(parts)).digest();
}
