/** Rejects requests beyond the URL or header limits, and sheds load with 503: a growing queue would slow down every request. */
import type { Request, Response } from 'express';
import { type Text, t } from '../../contract/languages/text.ts';
import { overloaded, Problem } from '../../contract/problem.ts';
import type { Config } from '../../platform/config/config.ts';

/** Each kind has its own budget, so that slow downloads and sign-ins don't starve the API. Health checks aren't counted. */
export type Traffic = 'api' | 'files' | 'pages';

interface Admission {
  /**
   * Counts the request as in flight until it ends.
   * @param traffic undefined for requests that are served even under overload
   * @throws Problem 400, 414, 431, 501 or 503
   */
  admit(req: Request, res: Response, traffic: Traffic | undefined): void;
}

export function createAdmission(limits: Config['http']): Admission {
  const { max_url_bytes: maxUrlBytes, max_headers: maxHeaders, maxRequestsInFlight } = limits;
  const inFlight: Record<Traffic, number> = { api: 0, files: 0, pages: 0 };
  return {
    admit(req, res, traffic) {
      if (req.url.length > maxUrlBytes) {
        throw new Problem(414, 'invalid_parameter', t`The address is longer than ${maxUrlBytes} bytes.`);
      }
      // `rawHeaders` alternates names and values.
      if (req.rawHeaders.length > 2 * maxHeaders) {
        throw new Problem(431, 'invalid_parameter', t`There are more than ${maxHeaders} headers.`);
      }
      refuseAmbiguity(req);
      refuseCodings(req);
      if (!traffic) return;
      if (inFlight[traffic] >= maxRequestsInFlight) throw overloaded();
      inFlight[traffic] += 1;
      res.once('close', () => {
        inFlight[traffic] -= 1;
      });
    },
  };
}

/** A host name, or an IP address in brackets, with an optional port (RFC 9110, section 7.2). */
const hostValue = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Node uses the first of several, other software the last: a proxy and this service could act on different values. */
const singleHeaders = ['Host', 'Authorization', 'Content-Type'];
const singleByName = new Map(singleHeaders.map((name) => [name.toLowerCase(), name]));
const singleLengths = new Set(singleHeaders.map(({ length }) => length));

/** @throws 400 for a missing or invalid Host (RFC 9112, section 3.2), and for a repeated header that must be single */
function refuseAmbiguity({ headers: { host }, httpVersionMinor, rawHeaders }: Request): void {
  if (host === undefined && httpVersionMinor >= 1) throw badHead(t`The header Host is missing.`);
  if (host !== undefined && !hostValue.test(host)) throw badHead(t`The header Host names no host.`);
  let seenNames = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i]!;
    const name = singleLengths.has(raw.length) ? singleByName.get(raw.toLowerCase()) : undefined;
    if (name === undefined) continue;
    if (seenNames.includes(`${name},`)) throw badHead(t`The header ${name} is repeated. Send it once.`);
    seenNames += `${name},`;
  }
}

/**
 * Node decodes `chunked`, rejects codings that don't end with it, and leaves others on the body (RFC 9112, section 6.1).
 * @throws 501
 */
function refuseCodings({ headers }: Request): void {
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (coding === undefined || coding === 'chunked' || !coding.endsWith('chunked')) return;
  throw new Problem(501, 'invalid_parameter', t`Only the Transfer-Encoding chunked is supported.`, {
    headers: { Connection: 'close' },
  });
}

function badHead(text: Text): Problem {
  return new Problem(400, 'invalid_parameter', text);
}
