/** Requests that take as long as a test wants, as on a slow network. */
import type { Page, Request } from 'playwright-core';

interface HeldRequests {
  /** For example `POST /v1/apps`. */
  held: string[];
  release(): void;
}

/** Holds requests to the API, if not told otherwise those that change something, until `release` is called. */
export async function holdRequests(
  page: Page,
  isHeld = (request: Request) => request.method() !== 'GET',
): Promise<HeldRequests> {
  const held: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/v1\//, async (route) => {
    const request = route.request();
    if (isHeld(request)) {
      held.push(`${request.method()} ${new URL(request.url()).pathname}`);
      await released;
    }
    await route.continue();
  });
  return { held, release };
}
