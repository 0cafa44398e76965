/** Messages that explain a failed attempt and its fix to the receiver's developers. */
import { sentences, type Text, t } from '../../../contract/languages/text.ts';

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
}: Result): Text | null {
  if (errorClass === 'tls') return tls[errorDetail ?? ''] ?? sentences(t`The TLS connection failed.`, checkTls);
  if (errorClass !== null) return classes[errorClass] ?? t`The attempt failed.`;
  if (statusCode === null || (statusCode >= 200 && statusCode < 300)) return null;
  const known = statuses[statusCode];
  if (known) return t`The endpoint returned ${statusCode}: ${known}`;
  return statusCode >= 500
    ? t`The endpoint returned ${statusCode}: it failed. Check its logs.`
    : t`The endpoint returned ${statusCode}: it rejected the request. The start of its response may say why.`;
}

const checkTls = t`Check the certificate of the host, and that it supports TLS 1.2 or 1.3.`;
const chain = t`The certificate of the host lacks its intermediate certificates or comes from an unknown authority. Configure the host to send the full chain of a public authority.`;
const selfSigned = t`The certificate of the host is self-signed. Use one from a public authority.`;

const tls: Record<string, Text> = {
  CERT_HAS_EXPIRED: t`The certificate of the host has expired. Renew it.`,
  CERT_SIGNATURE_FAILURE: chain,
  CERT_UNTRUSTED: chain,
  CERT_NOT_YET_VALID: t`The certificate of the host is not valid yet. Check its start date.`,
  ERR_TLS_CERT_ALTNAME_INVALID: t`The certificate of the host is for other names. Use a URL with one of its names, or a certificate for this name.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: chain,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: chain,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: chain,
};

/** The codes with a message; others aren't stored. */
export const tlsDetails: ReadonlySet<string> = new Set(Object.keys(tls));

const classes: Record<string, Text> = {
  dns: t`The host name could not be resolved. Check the host in the URL, and that its DNS records are public.`,
  connect_refused: t`The host refused the connection or can't be reached. Check that the endpoint is running, that the port is right, and that no firewall blocks our requests.`,
  connect_timeout: t`The connection timed out. Check that the endpoint is running, and that no firewall drops packets.`,
  reset: t`The connection was closed before the response was complete. Check the logs of the endpoint and of its proxy.`,
  protocol: t`The response was not HTTP, or its headers exceeded 16 kB. Check that the port in the URL belongs to a web server, and which headers it sends.`,
  timeout: t`The endpoint did not respond in time. Respond as soon as the event is stored, and process it afterwards.`,
  response_too_slow: t`The response started but did not finish in time. Send a short body, or none.`,
  redirect: t`The endpoint returned a redirect, which is not followed. Change the URL of the subscription to the redirect target.`,
  address_refused: t`The host resolves to a blocked address, such as a private one. Use a host with a public address.`,
  interrupted: t`Our service stopped twice while sending, so this delivery is not retried. Your endpoint did not cause this: contact the operator of this service.`,
  payload: t`The request could not be built. Your endpoint did not cause this: contact the operator of this service.`,
};

const overloaded = t`it or its proxy is unavailable. Check that it is running. Failed deliveries are retried.`;

/** Follows “returned 404: ”. */
const statuses: Record<number, Text> = {
  401: t`it rejected the signature or the key. Check the secret that it uses, and the headers stored with the subscription.`,
  403: t`it blocks our requests. Check its firewall or gateway, and the headers stored with the subscription.`,
  404: t`nothing exists at this path. Check the URL.`,
  405: t`it does not accept POST at this path. Check the URL, and the methods that the endpoint allows.`,
  408: t`it waited too long for the request. Check the proxy in front of it.`,
  410: t`it no longer exists, so the subscription was deactivated. Reactivate it when the endpoint is back.`,
  413: t`the body is too large. Raise the limit of the endpoint or its proxy.`,
  415: t`it does not accept JSON. Allow application/json.`,
  429: t`it received more requests than it allows. Return Retry-After, or raise its rate limit.`,
  502: overloaded,
  503: overloaded,
  504: overloaded,
};
