/** MCP bridge over stdio: sends each line of stdin (one message) to `POST /mcp`, and writes the response to stdout. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Api, type ApiOptions, openApi } from '../service/api.ts';
import type { CliContext } from '../terminal/context.ts';

export interface McpOptions extends ApiOptions {
  readOnly?: boolean;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: string; protocolVersion?: string };
  result?: { tools?: { name: string; annotations?: { readOnlyHint?: boolean } }[]; protocolVersion?: string };
}

/** JSON-RPC 2.0 error codes. */
const parseError = -32_700;
const invalidRequest = -32_600;
const invalidParams = -32_602;
const internalError = -32_603;

export async function serve(
  context: CliContext,
  options: McpOptions,
  { input = process.stdin, output = process.stdout }: { input?: Readable; output?: Writable } = {},
): Promise<void> {
  const api = await openApi(context, options);
  const bridge = createBridge(api, Boolean(options.readOnly));
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const work = bridge(line).then((reply) => {
      if (reply !== undefined) output.write(`${reply}\n`);
    });
    pending.add(work);
    void work.finally(() => pending.delete(work));
  }
  await Promise.all(pending);
}

/** @returns the response to a message; undefined for a notification */
function createBridge(api: Api, isReadOnly: boolean): (line: string) => Promise<string | undefined> {
  let version: string | undefined;
  const send = async (line: string): Promise<Message | undefined> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(version && { 'mcp-protocol-version': version }),
    };
    const response = await api.send({ method: 'POST', path: '/mcp', headers, body: line });
    if (response.status === 202) return undefined;
    const body = (await response.json()) as Message & { message?: string };
    if (!response.ok) throw new Error(body.message ?? `the service returned ${response.status}`);
    return body;
  };
  const fetchReadOnlyTools = async () => {
    const reply = await send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/list' }));
    return new Set(reply?.result?.tools?.flatMap(({ name, annotations }) => (annotations?.readOnlyHint ? [name] : [])));
  };
  return async (line) => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return failure(undefined, parseError, 'The line is not valid JSON.');
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return failure(undefined, invalidRequest, 'Send one message in each line.');
    const { id, method, params } = message as Message;
    try {
      if (isReadOnly && method === 'tools/call' && !(await fetchReadOnlyTools()).has(String(params?.name)))
        return failure(id, invalidParams, 'This connection is read-only.');
      const reply = await send(line);
      version = reply?.result?.protocolVersion ?? version;
      const tools = reply?.result?.tools;
      if (isReadOnly && tools) reply.result!.tools = tools.filter(({ annotations }) => annotations?.readOnlyHint);
      return reply && JSON.stringify(reply);
    } catch (error) {
      return id === undefined ? undefined : failure(id, internalError, (error as Error).message);
    }
  };
}

function failure(id: Message['id'], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}
