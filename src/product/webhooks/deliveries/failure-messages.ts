/** Messages that explain a failed attempt and its fix to the receiver's developers. */

interface Result {
  status_code: number | null;
  error_class: string | null;
  error_detail?: string | null;
}

/** @returns null for a success, and before the first attempt */
export function describeFailure({
  status_code: statusCode,
  error_class: errorClass,
  error_detail: errorDetail,
}: Result): string | null {
  if (errorClass === 'tls') return tls[errorDetail ?? ''] ?? `No secure connection could be made. ${checkTls}`;
  if (errorClass !== null) return classes[errorClass] ?? 'The attempt failed.';
  if (statusCode === null || (statusCode >= 200 && statusCode < 300)) return null;
  const known = statuses[statusCode];
  if (known) return `The receiver answered with ${statusCode}: ${known}`;
  return statusCode >= 500
    ? `The receiver answered with ${statusCode}: it failed. Its own log should say why.`
    : `The receiver answered with ${statusCode}: it refused the request. The beginning of its answer may say why.`;
}

const checkTls = 'Check the certificate of the host, and that it speaks TLS 1.2 or 1.3.';
const chain =
  'The certificate of the host comes without its intermediate certificates, or from an authority that is not known. Have the host send the whole chain of a public authority.';
const selfSigned = 'The certificate of the host is self-signed. Use one of a public authority.';

const tls: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate of the host has expired. Renew it.',
  CERT_SIGNATURE_FAILURE: chain,
  CERT_UNTRUSTED: chain,
  CERT_NOT_YET_VALID: 'The certificate of the host is not valid yet. Check the clock of whoever issued it.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the host is for other names. Use a URL with a name that is in the certificate, or a certificate with this name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: chain,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: chain,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: chain,
};

/** The codes with a message; others aren't stored. */
export const tlsDetails: ReadonlySet<string> = new Set(Object.keys(tls));

const classes: Record<string, string> = {
  dns: 'The name of the host could not be resolved. Check the host in the URL, and that its DNS records are public.',
  connect_refused:
    'The host refused the connection, or can not be reached. Check that the receiver is running, that the port is right, and that no firewall keeps requests out.',
  connect_timeout:
    'The connection was not made in time. Check that the receiver is running, and that no firewall drops the packets.',
  reset:
    'The connection was closed before the answer was complete. Check the log of the receiver, and of the proxy before it.',
  protocol: 'The answer was not HTTP. Check that the port in the URL is that of a web server.',
  timeout: 'No answer came in time. Answer as soon as the event is stored, and process it afterwards.',
  response_too_slow: 'The answer began, but did not end in time. Answer without a body, or with a short one.',
  redirect:
    'The receiver answered with a redirect, which is not followed. Change the URL of the subscription to the address that it leads to.',
  address_refused:
    'The host leads to an address that nothing is sent to, such as a private one. Use a host with a public address.',
  interrupted:
    'This service stopped twice while it made the request, so nothing is sent any more. That is not the fault of the receiver: ask the operator of this service.',
  payload: 'The request could not be made. That is not the fault of the receiver: ask the operator of this service.',
};

const overloaded =
  'it, or the proxy before it, is not available. Check that it is running; what was missed is sent again by the retries.';

/** Follows “answered with 404: ”. */
const statuses: Record<number, string> = {
  401: 'it does not accept the signature or the key. Check the secret that it verifies with, and the headers that are stored with the subscription.',
  403: 'it refuses requests of ours. Check its firewall or gateway, and the headers that are stored with the subscription.',
  404: 'there is nothing at this address. Check the path of the URL.',
  405: 'it takes no POST at this address. Check the path of the URL, and the methods that the receiver allows.',
  408: 'it waited too long for the request. Check the proxy before the receiver.',
  410: 'it is gone for good, so the subscription was deactivated. Activate it when the receiver is back.',
  413: 'the body is too large for it. Raise the limit of the receiver or of the proxy before it.',
  415: 'it does not take JSON. Have it accept application/json.',
  429: 'it gets more requests than it takes. Answer with Retry-After, or raise its limit for these requests.',
  502: overloaded,
  503: overloaded,
  504: overloaded,
};
