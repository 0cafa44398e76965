/** The headers that keep browsers from doing more with an answer than they should. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Config } from '../../platform/config/config.ts';

/** What is no page loads nothing, posts nothing and is framed by nobody, should a browser show it all the same. */
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Always the same, so helmet is asked once and not for every answer. Pages and files have a Content-Security-Policy of their own. */
export function securityHeaders({
  require_https: requireHttps,
  tls,
}: Pick<Config, 'require_https' | 'tls'>): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Security-Policy': policy };
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  const set = helmet({ contentSecurityPolicy: false, strictTransportSecurity: requireHttps || tls !== undefined });
  set({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}
