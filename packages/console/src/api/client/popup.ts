/**
 * Sign-in in a popup, so that the page keeps its state and form input. The popup is redirected to a console URL that only passes
 * the response to the page. The code in it is useless without the verifier, which never leaves the page's memory.
 */

/** Prefix of `state` for popup sign-ins. */
const mark = 'window.';
const channelName = 'console.answers';
const lookEveryMs = 500;

export class WindowClosed extends Error {
  override name = 'WindowClosed';
}

export const windowState = (): string => mark + random();

/** Whether this page is a popup with a response for another page. */
export function isForAnotherPage(answer: URLSearchParams): boolean {
  return answer.get('state')?.startsWith(mark) ?? false;
}

/** Passes the response to the waiting page, which then closes this popup. */
export function postResponse(answer: URLSearchParams): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(answer.toString());
  channel.close();
}

/** Call it from a click handler, or the browser blocks the popup. @returns undefined when the popup is blocked */
export function openWindow(): Window | undefined {
  return window.open('', '_blank', 'popup,width=520,height=760') ?? undefined;
}

/**
 * Navigates the popup to a URL, and waits for the response with this `state`. The caller closes the popup.
 * @throws WindowClosed
 */
export async function waitForResponse(opened: Window, address: string, state: string): Promise<URLSearchParams> {
  const channel = new BroadcastChannel(channelName);
  let timer: ReturnType<typeof setInterval> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      channel.onmessage = ({ data }) => {
        const answer = new URLSearchParams(String(data));
        if (answer.get('state') === state) resolve(answer);
      };
      timer = setInterval(() => opened.closed && reject(new WindowClosed()), lookEveryMs);
      opened.location.replace(address);
    });
  } finally {
    clearInterval(timer);
    channel.close();
  }
}

export function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** PKCE code challenge of a verifier (RFC 7636, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
