/**
 * The page on which requests are tried: Scalar, with our contract and our sign-in; it loads nothing from other hosts. It weighs more
 * than all others together, so it is loaded by who asks for it.
 */
import { referenceClientId, referenceRedirectPath } from '../../identity/clients/reference-client.ts';
import type { Content } from '../http/published.ts';
import { page } from './page.ts';

export function tryPage(baseUrl: string): Content {
  const client = { base_url: baseUrl, client_id: referenceClientId, redirect_uri: baseUrl + referenceRedirectPath };
  const options = {
    title: 'Try it',
    description: 'Send requests to the API with your own account.',
    path: '/docs/try',
  };
  // The bundle sets style attributes; a style can not run anything, and may load nothing but our own files.
  return page('@try', options, { client }, { 'style-src': "'self' 'unsafe-inline'" });
}

/** Where the sign-in window comes back to. The page that opened it reads the code from its address and closes it. */
export function signedInPage(): Content {
  return page('@signed-in', {
    title: 'Signed in',
    description: 'You are signed in.',
    path: referenceRedirectPath,
  });
}
