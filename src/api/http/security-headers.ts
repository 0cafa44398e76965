/** The headers that keep browsers from doing more with an answer than they should. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Config } from '../../platform/config/config.ts';

/** Always the same, so helmet is asked once and not for every answer. Pages have a Content-Security-Policy of their own. */
export function securityHeaders({ require_https, tls }: Pick<Config, 'require_https' | 'tls'>): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  const set = helmet({ contentSecurityPolicy: false, strictTransportSecurity: require_https || tls !== undefined });
  set({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}
