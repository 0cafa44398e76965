/** One request on its way to its answer. Each step reads what those before it found, and adds what it found itself. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import type { VerifiedToken } from '../../identity/tokens/verify-token.ts';
import type { CompanyContext } from '../handler.ts';
import type { Body } from './body.ts';
import type { OperationRecord } from './operation-record.ts';
import type { Trail } from './trail.ts';

/** @throws whatever the request is refused with: no later step is taken then */
export type Step = (exchange: Exchange) => void | Promise<void>;

/** What a step has found is there for the steps after it; `request-pipeline.ts` lists them in their order. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly trail: Trail;
  /** GET for HEAD too, which works wherever GET does (RFC 9110, section 9.1); Node leaves out the body. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** By `authenticate`. */
  caller: VerifiedToken;
  /** By `enterCompany`; undefined where the path belongs to no company. */
  company: CompanyContext | undefined;
  /** By `takeOperation`, as all that follows. */
  operation: OperationRecord;
  pathParameters: Record<string, string>;
  /** By `findResource`. */
  resource: FoundResource;
  /** By `receiveBody`. */
  body: Body;
  /** By `validateRequest`; one that is given twice is a list. */
  query: Record<string, string | string[]>;
  /** Whether the operation has done its work: what was received belongs to it then. */
  isCarriedOut: boolean;
}

/** What `{id}` of the path names. */
export interface FoundResource<C extends object = object> {
  /** For the handler. */
  context: C;
  /** Whose record it is, for the rules that say `self` or `team`. */
  record_id?: string;
}

export function beginExchange(req: Request, res: Response): Exchange {
  // All members at once, so that every exchange has the same shape in memory.
  return {
    req,
    res,
    trail: res.locals.trail as Trail,
    method: req.method === 'HEAD' ? 'GET' : req.method,
    path: req.path,
    headers: req.headers,
    caller: undefined,
    company: undefined,
    operation: undefined,
    pathParameters: none,
    resource: nothing,
    body: noBody,
    query: none,
    isCarriedOut: false,
  } as unknown as Exchange;
}

/** Whether the path belongs to a company; others know only the user. */
export function isOfCompany({ path }: Pick<Exchange, 'path'>): boolean {
  return path.startsWith('/v1/');
}

const none = Object.freeze({});
const nothing: FoundResource = Object.freeze({ context: none });
const noBody: Body = { value: undefined, identity: undefined };
