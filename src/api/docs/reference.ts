/** The reference page: Scalar, with our contract and our sign-in; it loads nothing from other hosts. */
import { contract, contractOperations } from '../../contract/contract.ts';
import { reference_client_id, reference_redirect_path } from '../../identity/clients/reference-client.ts';
import { eventPath, operationPath } from './markdown.ts';
import { page } from './page.ts';
import type { Content } from './resource.ts';

export function referencePage(base_url: string): Content {
  const operations = contractOperations.map(({ method, path, operation }) => ({
    method: method.toUpperCase(),
    path,
    href: operationPath(operation),
    operationId: operation.operationId,
  }));
  const events = Object.keys(contract.webhooks).map((name) => ({ name, href: eventPath(name) }));
  const client = { base_url, client_id: reference_client_id, redirect_uri: base_url + reference_redirect_path };
  const options = {
    title: contract.info.title,
    description: 'Every operation and event of the API, to read and to try.',
    path: '/docs',
  };
  // The bundle sets style attributes; a style can not run anything, and may load nothing but our own files.
  return page('@reference', options, { client, operations, events }, { 'style-src': "'self' 'unsafe-inline'" });
}

/** Where the sign-in window comes back to. The page that opened it reads the code from its address and closes it. */
export function signedInPage(): Content {
  return page('@signed-in', { title: 'Signed in', description: 'You are signed in.', path: reference_redirect_path });
}
