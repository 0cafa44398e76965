/**
 * The shape of an operation's handler: a function from a request that was checked against the contract, and a context,
 * to an answer that the contract declares. It never sees express. Errors are thrown as problems.
 *
 * These types belong to neither side: the transport calls by them, and operations are written by them.
 */
import type { operations, resources } from '../../generated/api.ts';
import type { Language } from '../contract/languages/language.ts';
import type { FieldDefinition } from '../identity/members/company-fields.ts';
import type { CompanyMember } from '../identity/members/member.ts';
import type { VerifiedToken } from '../identity/tokens/verify-token.ts';
import type { Database } from '../platform/db/client.ts';
import type { Cursors } from '../platform/db/cursor.ts';
import type { Tenant } from '../platform/db/tenant.ts';
import type { FilesContext } from '../platform/files/context.ts';
import type { ReceivedFile } from '../platform/files/inspect/receive-file.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { PhotoDecoders } from '../platform/photos/decoders.ts';
import type { CollaboratorRow } from '../product/access/records.ts';
import type { AppRow } from '../product/apps/apps.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { ConnectionRow } from '../product/connections/connections.ts';
import type { DirectoryRow } from '../product/directories/directories.ts';
import type { ExportRow } from '../product/exports/find-export.ts';
import type { ReceivedImport } from '../product/imports/receive-import-file.ts';
import type { ImportRow } from '../product/imports/state/find-import.ts';
import type { SavedViewRow } from '../product/saved-views/saved-views.ts';
import type { SignInConnectionRow } from '../product/sign-in-connections/sign-in-connections.ts';
import type { SignInSettings } from '../product/sign-in-connections/sign-in-settings.ts';
import type { TestWaits } from '../product/webhooks/deliveries/test-wait.ts';
import type { WebhookRow } from '../product/webhooks/subscriptions/subscriptions.ts';
import type { WebhookSettings } from '../product/webhooks/subscriptions/webhook-settings.ts';

/** Without the webhooks, which nobody can call here. */
export type OperationId = Exclude<keyof operations, `on${string}`>;

export interface Handler<O extends OperationId> {
  (request: Request<O>, context: Context<O>): Promise<Answer<O>>;
  /**
   * Looks at the request first, before the transaction that an Idempotency-Key puts around the handler: for what asks
   * others and may take its time, such as a name server.
   * @throws a problem
   */
  check?(request: Request<O>, context: Context<O>): Promise<void>;
  /**
   * Makes the answer complete when everything is committed, and holds no connection: for what waits for others. With an
   * Idempotency-Key it is called for a repeated answer as well, which is kept as the handler gave it.
   * @throws a problem
   */
  afterwards?(answer: Answer<O>, request: Request<O>, context: Context<O>): Promise<Answer<O>>;
}

/** One handler for every operation of the contract, no more and no fewer. */
export type Handlers = { [O in OperationId]: Handler<O> };

export interface Request<O extends OperationId> {
  path: Part<O, 'path'>;
  query: Part<O, 'query'>;
  /** Of `If-Match`: the entity tags of the versions that the caller means; undefined where any will do. */
  ifMatch: readonly string[] | undefined;
  /** Of `If-None-Match: *`: the caller wants to create, and to change nothing. Operations that only change refuse it before. */
  onlyNew: boolean;
  body: BodyOfRequest<O>;
}

type BodyOfRequest<O extends OperationId> = operations[O] extends { requestBody: { content: infer C } }
  ? OneBody<O, C>
  : operations[O] extends { requestBody?: { content: infer C } }
    ? OneBody<O, C> | undefined
    : undefined;

/** Of each media type, what the contract says, with what became of its files. */
type OneBody<O extends OperationId, C> = {
  [M in keyof C]: M extends 'multipart/form-data' ? Received<O, C[M]> : Decoded<O, C[M]>;
}[keyof C];

/** What handlers get in place of a file. */
export interface ReceivedParts {
  uploadDocument: { file: ReceivedFile };
  setPhoto: { file: Buffer };
  importCollaborators: { file: ReceivedImport };
}

type Received<O extends OperationId, F> = O extends keyof ReceivedParts
  ? Omit<F, keyof ReceivedParts[O]> & ReceivedParts[O]
  : F;

/** What handlers get in place of a file in base64, where that is large. */
interface DecodedFields {
  uploadDocument: { content_base64: ReceivedFile };
  setPhoto: { content_base64: Buffer };
  importCollaborators: { content_base64: ReceivedImport };
}

type Decoded<O extends OperationId, F> = O extends keyof DecodedFields
  ? { [K in keyof F]: K extends keyof DecodedFields[O] ? F[K] | DecodedFields[O][K] : F[K] }
  : F;

type Part<O extends OperationId, P extends 'path' | 'query'> = NonNullable<operations[O]['parameters'][P]>;

export type Context<O extends OperationId> = BaseContext &
  (operations[O]['parameters'] extends { header: { 'X-Company-Id': string } } ? CompanyContext : unknown) &
  (O extends keyof resources ? ResourceContexts[resources[O]] : unknown);

export interface BaseContext extends Services {
  request_id: string;
  /** Of texts in the answer; errors that are thrown are said in it anyway. */
  language(): Language;
  caller: VerifiedToken;
}

/** What every operation may use, of which there is one in a process. */
export interface Services {
  /** Public address of the service, without a trailing slash. */
  base_url: string;
  db: Database;
  mail: MailQueue;
  cursors: Cursors;
  webhooks: WebhookSettings;
  signIn: SignInSettings;
  testWaits: TestWaits;
  files: FilesContext;
  photos: PhotoDecoders;
  /** What a company may have at most. */
  quotas: Quotas;
  /** How long this process may give no sign of life until a worker makes its export anew. */
  exportLeaseS: number;
}

/** Of operations that act for a company. */
export interface CompanyContext {
  tenant: Tenant;
  /** The caller in this company, with its policy. */
  member: CompanyMember;
}

/** What `{id}` or `{key}` of the path names, by the operation's `x-resource`: it was found before the handler is called. */
export interface ResourceContexts {
  /** In the caller's reach. */
  collaborator: { collaborator: CollaboratorRow };
  app: { app: AppRow };
  directory: { directory: DirectoryRow };
  sign_in_connection: { signInConnection: SignInConnectionRow };
  /** In the caller's reach. */
  connection: { connection: ConnectionRow };
  webhook: { webhook: WebhookRow };
  /** As the process remembers it: whoever changes it reads it again, under a lock. */
  custom_field: { customField: FieldDefinition };
  import: { importRow: ImportRow };
  /** Which the caller saved. */
  saved_view: { savedView: SavedViewRow };
  /** Which the caller asked for. */
  export: { exportRow: ExportRow };
}

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
