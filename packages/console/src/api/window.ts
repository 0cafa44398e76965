/**
 * Sign-ins in a window of their own, so that the page which asks stays as it is, with what was typed in it. The window comes back
 * to an address of the console, which hands the answer to the page and does nothing else: the code in it is of no use without the
 * verifier, and that has never left the memory of the page which asked.
 */

/** What the `state` of such a sign-in begins with. */
const mark = 'window.';
const channelName = 'console.answers';
/** How often it is looked whether the window is still there. */
const lookEveryMs = 500;

/** The window was closed before there was an answer. */
export class WindowClosed extends Error {
  override name = 'WindowClosed';
}

export const windowState = (): string => mark + random();

/** Whether this page is such a window, with an answer for another page. */
export function isForAnotherPage(answer: URLSearchParams): boolean {
  return answer.get('state')?.startsWith(mark) ?? false;
}

/** Hands the answer of this window to the page that waits for it, which then closes it. */
export function handBack(answer: URLSearchParams): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(answer.toString());
  channel.close();
}

/**
 * To be called while a press of a button is handled: browsers open no window by themselves.
 * @returns undefined where the browser opens none
 */
export function openWindow(): Window | undefined {
  return window.open('', '_blank', 'popup,width=520,height=760') ?? undefined;
}

/**
 * Sends the window to an address, and waits until it has come back with the answer to `state`. Closing it is left to the caller.
 * @throws WindowClosed
 */
export async function answerFrom(opened: Window, address: string, state: string): Promise<URLSearchParams> {
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

/** Of a verifier (RFC 7636, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
