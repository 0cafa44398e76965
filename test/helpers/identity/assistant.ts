/** An assistant that uses the official Model Context Protocol client, and signs Mariana in. */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApp } from '../app.ts';
import { addApp } from '../resources/apps.ts';
import { createBrowser, walkPages } from './oauth.ts';

const mariana = { email: 'mariana.duarte@example.com', password: 'correct horse battery staple' };
export const assistantRedirectUri = 'http://127.0.0.1/callback';

interface Assistant {
  /** An existing app; default: registers one. */
  client_id?: string;
  /** Companies ticked on the consent page; default: the test app's. */
  companies?: string[];
  fetch?: typeof globalThis.fetch;
}

/** The parts of tool results that tests read. */
interface ToolData {
  id: string;
  name: string;
  position: string;
  url: string;
  data: ToolData[];
}

/**
 * @param scope undefined for what the client library requests by itself
 * @returns a client that discovered the authorization server from the 401, and signed in
 */
export async function connectAssistant(app: TestApp, scope: string | undefined, assistant: Assistant = {}) {
  const { companies = [app.company_id], fetch: send } = assistant;
  const clientId = assistant.client_id ?? (await addApp(app, { name: 'Assistant', secret_hash: null }));
  const session: { tokens?: object; verifier?: string; location?: URL } = {};
  const browser = createBrowser(app.base_url);
  const authProvider = {
    redirectUrl: assistantRedirectUri,
    clientMetadata: { redirect_uris: [assistantRedirectUri], scope, token_endpoint_auth_method: 'none' },
    state: () => 'a-state',
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => session.tokens,
    saveTokens: (tokens: object) => {
      session.tokens = tokens;
    },
    saveCodeVerifier: (verifier: string) => {
      session.verifier = verifier;
    },
    codeVerifier: () => session.verifier!,
    redirectToAuthorization: async (url: URL) => {
      if (scope !== undefined) url.searchParams.set('scope', scope);
      session.location = (await walkPages(browser, url.href, { ...mariana, companies })).location;
    },
  } as unknown as OAuthClientProvider;
  const address = new URL(`${app.base_url}/mcp`);
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider, ...(send && { fetch: send }) });
  const first = transport();
  await expect(new Client({ name: 'test', version: '1' }).connect(first as never)).rejects.toThrow();
  await first.finishAuth(session.location!.searchParams.get('code')!);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport() as never);
  const call = async (name: string, sent: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: sent });
    const [{ text }] = result.content as [{ text: string }];
    return {
      isError: Boolean(result.isError),
      text,
      data: (result.structuredContent as { data: ToolData } | undefined)?.data as ToolData,
    };
  };
  return { client, call, tokens: session.tokens as { access_token: string; scope: string } };
}
