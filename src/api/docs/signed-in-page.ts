/** Where a sign-in of the reference returns to; its script passes the response on to the page that started it. */
import { referenceRedirectPath } from '../../identity/clients/reference-client.ts';
import type { Content } from '../http/responses/published.ts';
import { page } from './page.ts';

export function signedInPage(): Content {
  return page('@signed-in', {
    title: 'Signed in',
    description: 'You are signed in.',
    path: referenceRedirectPath,
  });
}
