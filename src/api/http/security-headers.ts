import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Config } from '../../platform/config/config.ts';

/** Non-page responses load nothing, submit nothing, and can't be framed, even if a browser renders them. */
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Constant, so helmet runs once, not per response. Pages and files set their own Content-Security-Policy. */
export function securityHeaders({
  require_https: requireHttps,
  tls,
}: Pick<Config, 'require_https' | 'tls'>): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Security-Policy': policy };
  const responseStub = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => {},
  };
  const set = helmet({ contentSecurityPolicy: false, strictTransportSecurity: requireHttps || tls !== undefined });
  set({} as IncomingMessage, responseStub as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}
