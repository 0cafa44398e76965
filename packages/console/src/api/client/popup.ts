/**
 * Sign-in in a popup, so that the page keeps its state and form input. The popup is redirected to a console URL that only passes
 * the response to the page. The code in it is useless without the verifier, which never leaves the page's memory.
 */

/** Prefix of `state` for popup sign-ins. */
const statePrefix = 'window.';
const channelName = 'console.answers';
const pollIntervalMs = 500;

export class WindowClosed extends Error {
  override name = 'WindowClosed';
}

export const windowState = (): string => statePrefix + random();

/** Whether this page is a popup with a response for another page. */
export function isForAnotherPage(response: URLSearchParams): boolean {
  return response.get('state')?.startsWith(statePrefix) ?? false;
}

/** Passes the response to the waiting page, which then closes this popup. */
export function postResponse(response: URLSearchParams): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(response.toString());
  channel.close();
}

/** Call it from a click handler, or the browser blocks the popup. @returns undefined when the popup is blocked */
export function openPopup(): Window | undefined {
  return window.open('', '_blank', 'popup,width=520,height=760') ?? undefined;
}

/**
 * Navigates the popup to a URL, and waits for the response with this `state`. The caller closes the popup.
 * @throws WindowClosed
 */
export async function waitForResponse(popup: Window, address: string, state: string): Promise<URLSearchParams> {
  const channel = new BroadcastChannel(channelName);
  let timer: ReturnType<typeof setInterval> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      channel.onmessage = ({ data }) => {
        const response = new URLSearchParams(String(data));
        if (response.get('state') === state) resolve(response);
      };
      timer = setInterval(() => popup.closed && reject(new WindowClosed()), pollIntervalMs);
      popup.location.replace(address);
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
