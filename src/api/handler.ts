/**
 * The type of an operation's handler: a function from a validated request and a context to a response of the contract. Handlers
 * never see express, and throw errors as problems. The types belong to neither transport nor operations, so both can use them.
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

/** Without webhooks, which aren't routes. */
export type OperationId = Exclude<keyof operations, `on${string}`>;

export interface Handler<O extends OperationId> {
  (request: Request<O>, context: Context<O>): Promise<SuccessResponse<O>>;
  /**
   * Checks the request before the transaction that an Idempotency-Key opens: for slow external lookups such as DNS.
   * @throws a problem
   */
  check?(request: Request<O>, context: Context<O>): Promise<void>;
  /**
   * Completes the response after the commit, without holding a connection: for external calls. Also runs for a replayed response.
   * @throws a problem
   */
  afterCommit?(response: SuccessResponse<O>, request: Request<O>, context: Context<O>): Promise<SuccessResponse<O>>;
}

/** Exactly one handler per operation of the contract. */
export type Handlers = { [O in OperationId]: Handler<O> };

export interface Request<O extends OperationId> {
  path: Part<O, 'path'>;
  query: Part<O, 'query'>;
  /** The entity tags of `If-Match`; undefined if any version matches. */
  ifMatch: readonly string[] | undefined;
  /** `If-None-Match: *`: create only, never change. Operations that can't create reject it earlier. */
  createOnly: boolean;
  body: BodyOfRequest<O>;
}

type BodyOfRequest<O extends OperationId> = operations[O] extends { requestBody: { content: infer C } }
  ? OneBody<O, C>
  : operations[O] extends { requestBody?: { content: infer C } }
    ? OneBody<O, C> | undefined
    : undefined;

type OneBody<O extends OperationId, C> = {
  [M in keyof C]: M extends 'multipart/form-data' ? Received<O, C[M]> : Decoded<O, C[M]>;
}[keyof C];

export interface ReceivedParts {
  uploadDocument: { file: ReceivedFile };
  setPhoto: { file: Buffer };
  importCollaborators: { file: ReceivedImport };
}

type Received<O extends OperationId, F> = O extends keyof ReceivedParts
  ? Omit<F, keyof ReceivedParts[O]> & ReceivedParts[O]
  : F;

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
  language(): Language;
  caller: VerifiedToken;
}

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
  quotas: Quotas;
  /** After this time without a heartbeat, a worker restarts the export of this process. */
  exportLeaseS: number;
}

export interface CompanyContext {
  tenant: Tenant;
  /** The caller in this company, with its policy. */
  member: CompanyMember;
}

/** The resource that `{id}` or `{key}` identifies, by the operation's `x-resource`; loaded before the handler runs. */
export interface ResourceContexts {
  collaborator: { collaborator: CollaboratorRow };
  app: { app: AppRow };
  directory: { directory: DirectoryRow };
  sign_in_connection: { signInConnection: SignInConnectionRow };
  connection: { connection: ConnectionRow };
  webhook: { webhook: WebhookRow };
  /** From the cache; read it again under a lock before a change. */
  custom_field: { customField: FieldDefinition };
  import: { importRow: ImportRow };
  /** The caller's own. */
  saved_view: { savedView: SavedViewRow };
  /** Requested by the caller. */
  export: { exportRow: ExportRow };
}

/** A success that the contract declares: status, body, and headers beyond the common ones. */
export type SuccessResponse<O extends OperationId> = {
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

type CommonHeader = 'X-Request-Id' | 'X-Api-Version' | 'RateLimit' | 'RateLimit-Policy' | 'Idempotency-Replayed';
