/** One request on its way to its response. Each step reads the results of earlier steps and adds its own. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import type { VerifiedToken } from '../../identity/tokens/verify-token.ts';
import type { CompanyContext } from '../handler.ts';
import type { Body } from './body/body.ts';
import type { RequestLog } from './observe/request-log.ts';
import type { OperationRecord } from './operation-record.ts';

/** @throws the error that rejects the request and ends the pipeline */
export type Step = (exchange: RequestContext) => void | Promise<void>;

/** `request-pipeline.ts` lists the steps in order. */
export interface RequestContext {
  readonly req: Request;
  readonly res: Response;
  readonly requestLog: RequestLog;
  /** GET for HEAD, which is allowed wherever GET is (RFC 9110, section 9.1); Node omits the body. */
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Set by `authenticate`. */
  caller: VerifiedToken;
  /** Set by `enterCompany`; undefined for paths outside of companies. */
  company: CompanyContext | undefined;
  /** Set by `matchOperation`, like the fields below. */
  operation: OperationRecord;
  pathParameters: Record<string, string>;
  /** Set by `findResource`. */
  resource: FoundResource;
  /** Set by `receiveBody`. */
  body: Body;
  /** Set by `validateRequest`; a repeated parameter is an array. */
  query: Record<string, string | string[]>;
  /** Whether the operation succeeded, and so owns the received files. */
  isCompleted: boolean;
}

export interface FoundResource<C extends object = object> {
  context: C;
  /** The person the record belongs to, for `self` and `team` rules. */
  record_id?: string;
}

export function createRequestContext(req: Request, res: Response): RequestContext {
  // Set all members here, so that every exchange has the same hidden class in V8.
  return {
    req,
    res,
    requestLog: res.locals.requestLog as RequestLog,
    method: req.method === 'HEAD' ? 'GET' : req.method,
    path: req.path,
    headers: req.headers,
    caller: undefined,
    company: undefined,
    operation: undefined,
    pathParameters: emptyObject,
    resource: noResource,
    body: noBody,
    query: emptyObject,
    isCompleted: false,
  } as unknown as RequestContext;
}

/** Whether the path belongs to a company; other paths only know the user. */
export function isCompanyRequest({ path }: Pick<RequestContext, 'path'>): boolean {
  return path.startsWith('/v1/');
}

const emptyObject = Object.freeze({});
const noResource: FoundResource = Object.freeze({ context: emptyObject });
const noBody: Body = { value: undefined, identity: undefined };
