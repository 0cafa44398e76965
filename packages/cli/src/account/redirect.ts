/** Receives the OAuth redirect on a loopback address (RFC 8252, section 7.3). */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CliError } from '../terminal/failure.ts';

interface Expected<T> {
  /** Rejects redirects that do not belong to this sign-in. */
  state: string;
  /** Processes the redirect parameters; the browser page shows success or failure. */
  accept(redirectParams: URLSearchParams): Promise<T>;
}

/**
 * Listens on a free port of 127.0.0.1 until the browser is redirected back.
 * @param start receives the redirect URI
 * @returns what `accept` returned
 * @throws what `accept` threw, or Failure after `timeoutS`
 */
export async function receiveRedirect<T>(
  timeoutS: number,
  start: (redirectUri: string) => Promise<Expected<T>>,
): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const expected = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`);
    const timeout = new Promise<never>((_, reject) => {
      const failure = new CliError(`no one signed in within ${timeoutS} s`);
      timer = setTimeout(reject, timeoutS * 1000, failure);
    });
    return await Promise.race([awaitRedirect(server, expected), timeout]);
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
}

function awaitRedirect<T>(server: Server, { state, accept }: Expected<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isClaimed = false;
    server.on('request', async (req, res) => {
      const { pathname, searchParams } = new URL(req.url!, 'http://127.0.0.1');
      if (pathname !== '/callback' || req.method !== 'GET') return page(res, 404, 'Not found');
      if (isClaimed || searchParams.get('state') !== state) {
        return page(res, 400, 'This is not the sign-in that the command line started', 'Start again from there.');
      }
      isClaimed = true;
      try {
        const result = await accept(searchParams);
        await page(res, 200, 'You are signed in', 'You can close this page and return to the command line.');
        resolve(result);
      } catch (error) {
        await page(res, 400, 'The sign-in failed', 'See the command line for the reason.');
        reject(error);
      }
    });
  });
}

/** @returns once the page is sent, or the connection closed */
function page(res: ServerResponse, status: number, title: string, text = ''): Promise<void> {
  const style = 'font: 1.125rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 20vh auto; padding: 0 1rem';
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src-attr 'unsafe-inline'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer', // the URL contains the code
    Connection: 'close',
  });
  return new Promise((resolve) => {
    res.once('close', resolve);
    res.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>${title}</title><body style="${style}"><h1>${title}</h1><p>${text}</p></body></html>\n`);
  });
}
