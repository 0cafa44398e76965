/** openapi-backend, configured with the SCIM document: matches and validates requests. */
import { readFileSync } from 'node:fs';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import { ScimProblem } from '../../product/directories/scim-problem.ts';
import * as discovery from './discovery.ts';
import * as groups from './groups.ts';
import type { ScimContext, ScimOperation, ScimReply, ScimRequest } from './operation.ts';
import * as users from './users.ts';

const file = new URL('../../../generated/scim.json', import.meta.url);

export const scimDocument = JSON.parse(readFileSync(file, 'utf8')) as Document & { info: { version: string } };

const operations: Record<string, ScimOperation> = { ...discovery, ...users, ...groups };

export interface EngineRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  /** If false, an operation with a body rejects it: 415, after 404 and 405. */
  isJson: boolean;
  ifMatch: readonly string[] | undefined;
}

export type ScimEngine = (
  request: EngineRequest,
  context: ScimContext,
  onOperation: (operationId: string) => void,
) => Promise<ScimReply>;

export async function createScimEngine(): Promise<ScimEngine> {
  const engine = new OpenAPIBackend({
    definition: scimDocument,
    quick: true,
    strict: true,
    ajvOpts: { strict: false },
    ignoreTrailingSlashes: true,
  });
  engine.registerSecurityHandler('directoryToken', () => true); // checked earlier
  engine.register({
    ...Object.fromEntries(Object.entries(operations).map(([name, run]) => [name, handlerOf(run)])),
    notFound: ({ request }: Context) => {
      if (optional.test(request.path)) throw notSupported();
      throw new ScimProblem(404, undefined, 'There is no such endpoint.');
    },
    methodNotAllowed: ({ request }: Context) => {
      if (optional.test(request.path)) throw notSupported();
      throw new ScimProblem(405, undefined, 'This endpoint does not support this method.');
    },
    validationFail: ({ validation }: Context, { isJson }: HandlerInput) => {
      if (!isJson) throw notJson();
      const [first] = validation.errors ?? [];
      const location = `${first?.instancePath ?? ''}`
        .replaceAll('/', '.')
        .replace(/^\.(?:requestBody|body|query|path)?\.?/, '');
      const detail = `${location ? `${location}: ` : ''}${first?.message ?? 'The request is not valid.'}`;
      throw new ScimProblem(400, 'invalidValue', detail.slice(0, 300));
    },
  });
  await engine.init();
  return async (request, context, onOperation) => {
    const { method, path, query, headers, body, ...more } = request;
    return engine.handleRequest({ method, path, query, headers, body } as never, { ...more, context, onOperation });
  };
}

interface HandlerInput {
  isJson: boolean;
  ifMatch: ScimRequest['ifMatch'];
  context: ScimContext;
  onOperation(operationId: string): void;
}

function handlerOf(operation: ScimOperation) {
  return (engineContext: Context, { isJson, ifMatch, context, onOperation }: HandlerInput) => {
    if (!isJson) throw notJson();
    onOperation(engineContext.operation.operationId!);
    const { params, query, requestBody } = engineContext.request;
    return operation({ params, query, body: requestBody ?? {}, ifMatch } as ScimRequest, context);
  };
}

/** Optional endpoints (RFC 7644, sections 3.4.3, 3.7 and 3.11). */
const optional = /\/(?:Me|Bulk|\.search)\/?$/i;

function notSupported(): ScimProblem {
  return new ScimProblem(501, undefined, 'This is not supported.');
}

function notJson(): ScimProblem {
  return new ScimProblem(415, undefined, 'The body must be application/scim+json.');
}
