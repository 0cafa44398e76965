/** The try-it page: Scalar with our contract and sign-in. It is larger than all other pages together, so it loads on demand. */
import { referenceClientId, referenceRedirectPath } from '../../identity/clients/reference-client.ts';
import type { Content } from '../http/responses/published.ts';
import { page } from './page.ts';

export function tryPage(baseUrl: string): Content {
  const client = { base_url: baseUrl, client_id: referenceClientId, redirect_uri: baseUrl + referenceRedirectPath };
  const options = {
    title: 'Try it',
    description: 'Send requests to the API with your own account.',
    path: '/docs/try',
  };
  // The bundle sets style attributes. Styles run no code, and may load our own files only.
  return page('@try', options, { client }, { 'style-src': "'self' 'unsafe-inline'" });
}

/** The redirect target of the sign-in window. The page that opened it reads the code from its URL and closes it. */
export function signedInPage(): Content {
  return page('@signed-in', {
    title: 'Signed in',
    description: 'You are signed in.',
    path: referenceRedirectPath,
  });
}
