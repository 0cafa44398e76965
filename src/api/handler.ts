/**
 * The shape of an operation's handler: a function from a request that was checked against the contract, and a context,
 * to an answer that the contract declares. It never sees express. Errors are thrown as problems.
 */
import type { operations, paths } from '../../generated/api.ts';
import type { Member } from '../identity/members/member.ts';
import type { VerifiedToken } from '../identity/tokens/verify-token.ts';
import type { Database } from '../platform/db/client.ts';
import type { Cursors } from '../platform/db/cursor.ts';
import type { Tenant } from '../platform/db/tenant.ts';
import type { FilesContext } from '../platform/files/context.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { CollaboratorRow } from '../product/access/records.ts';
import type { ExportRow } from '../product/exports/find-export.ts';
import type { ImportRow } from '../product/imports/state/find-import.ts';
import type { WebhookRow } from '../product/webhooks/subscriptions.ts';
import type { WebhookSettings } from '../product/webhooks/webhook-settings.ts';
import type { ReceivedParts } from './http/receivers.ts';

export type OperationId = keyof operations;

export interface Handler<O extends OperationId> {
  (request: Request<O>, context: Context<O>): Promise<Answer<O>>;
  /**
   * Looks at the request first, before the transaction that an Idempotency-Key puts around the handler: for what asks
   * others and may take its time, such as a name server.
   * @throws a problem
   */
  check?(request: Request<O>, context: Context<O>): Promise<void>;
}

/** One handler for every operation of the contract, no more and no fewer. */
export type Handlers = { [O in OperationId]: Handler<O> };

export interface Request<O extends OperationId> {
  path: Part<O, 'path'>;
  query: Part<O, 'query'>;
  /** Names in lower case, as node gives them. */
  headers: { 'if-match'?: string; 'if-none-match'?: string };
  body: BodyOfRequest<O>;
}

type BodyOfRequest<O extends OperationId> = operations[O] extends { requestBody: { content: infer C } }
  ? OneBody<O, C>
  : operations[O] extends { requestBody?: { content: infer C } }
    ? OneBody<O, C> | undefined
    : undefined;

/** Of each media type, what the contract says; of a form, with what became of its files. */
type OneBody<O extends OperationId, C> = {
  [M in keyof C]: M extends 'multipart/form-data' ? Received<O, C[M]> : C[M];
}[keyof C];

type Received<O extends OperationId, F> = O extends keyof ReceivedParts
  ? Omit<F, keyof ReceivedParts[O]> & ReceivedParts[O]
  : F;

type Part<O extends OperationId, P extends 'path' | 'query'> = NonNullable<operations[O]['parameters'][P]>;

export type Context<O extends OperationId> = BaseContext &
  (operations[O]['parameters'] extends { header: { 'X-Company-Id': string } } ? CompanyContext : unknown) &
  (operations[O] extends OnCollaborator ? RecordContext : unknown) &
  (operations[O] extends OnWebhook ? WebhookContext : unknown) &
  (operations[O] extends OnImport ? ImportContext : unknown) &
  (operations[O] extends OnExport ? ExportContext : unknown);

export interface BaseContext {
  request_id: string;
  /** Public address of the service, without a trailing slash. */
  base_url: string;
  db: Database;
  mail: MailQueue;
  cursors: Cursors;
  webhooks: WebhookSettings;
  files: FilesContext;
  /** How long this process may give no sign of life until a worker makes its export anew. */
  export_lease_s: number;
  caller: VerifiedToken;
}

/** Of operations that act for a company. */
export interface CompanyContext {
  tenant: Tenant;
  /** The caller in this company. */
  member: Member;
}

/** Of operations below `/v1/collaborators/{id}`. */
export interface RecordContext {
  /** The collaborator of the path, in the caller's reach. */
  collaborator: CollaboratorRow;
}

/** Of operations below `/v1/webhooks/{id}`. */
export interface WebhookContext {
  /** The subscription of the path. */
  webhook: WebhookRow;
}

/** Of operations below `/v1/imports/{id}`. */
export interface ImportContext {
  /** The import of the path. */
  import_row: ImportRow;
}

/** Of operations below `/v1/exports/{id}`. */
export interface ExportContext {
  /** The export of the path, which the caller asked for. */
  export_row: ExportRow;
}

type OnCollaborator = OperationBelow<'/v1/collaborators/{id}'>;
type OnWebhook = OperationBelow<'/v1/webhooks/{id}'>;
type OnImport = OperationBelow<'/v1/imports/{id}'>;
type OnExport = OperationBelow<'/v1/exports/{id}'>;

type OperationBelow<Place extends string> = {
  [P in keyof paths & `${Place}${string}`]: paths[P][keyof paths[P] & ('get' | 'put' | 'post' | 'delete' | 'patch')];
}[keyof paths & `${Place}${string}`];

/** A success that the contract declares: its status, its body, and the headers that are not on every answer. */
export type Answer<O extends OperationId> = {
  [S in keyof operations[O]['responses'] & (200 | 201 | 202 | 304)]: {
    status: S;
    body: BodyOf<operations[O]['responses'][S]>;
  } & HeadersOf<operations[O]['responses'][S]>;
}[keyof operations[O]['responses'] & (200 | 201 | 202 | 304)];

type BodyOf<R> = R extends { content: infer C } ? C[keyof C] : undefined;

type HeadersOf<R> = R extends { headers: infer H }
  ? keyof OwnHeaders<H> extends never
    ? { headers?: undefined }
    : { headers: OwnHeaders<H> }
  : { headers?: undefined };

type OwnHeaders<H> = {
  [K in keyof H as string extends K ? never : K extends CommonHeader ? never : K]: H[K];
};

/** Set for every answer alike, by the writer of responses. */
type CommonHeader = 'X-Request-Id' | 'X-Api-Version' | 'RateLimit' | 'RateLimit-Policy' | 'Idempotency-Replayed';
