/**
 * Who gets in. A request beyond the limits of its address or head is refused, and so is one that comes while the process
 * has more to do than it can: it hears 503 at once, where a growing queue would make everybody wait.
 */
import type { Request, Response } from 'express';
import { say, type Text } from '../../contract/languages/text.ts';
import { overloaded, Problem } from '../../contract/problem.ts';
import type { Config } from '../../platform/config/config.ts';

/**
 * Each kind has a budget of its own, so that slow downloads and sign-ins leave the API its room. What asks for health is
 * not counted.
 */
export type Traffic = 'api' | 'files' | 'pages';

interface Admission {
  /**
   * Counts the request until its answer is sent, or its client gone.
   * @param traffic undefined for what is answered however busy the process is
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
        throw new Problem(414, 'invalid_parameter', say`The address is longer than ${maxUrlBytes} bytes.`);
      }
      // Name and value stand in turn.
      if (req.rawHeaders.length > 2 * maxHeaders) {
        throw new Problem(431, 'invalid_parameter', say`There are more than ${maxHeaders} headers.`);
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

/** As in an address: a name, or an address in brackets, and a port (RFC 9110, section 7.2). */
const hostValue = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Node takes the first of several, another program the last: a proxy may have judged by one, and we would act on the other. */
const singleHeaders = ['Host', 'Authorization', 'Content-Type'];
const singleByName = new Map(singleHeaders.map((name) => [name.toLowerCase(), name]));
const singleLengths = new Set(singleHeaders.map(({ length }) => length));

/** @throws 400 where Host is missing or can't be one (RFC 9112, section 3.2), and for a second one of a header that stands alone */
function refuseAmbiguity({ headers: { host }, httpVersionMinor, rawHeaders }: Request): void {
  if (host === undefined && httpVersionMinor >= 1) throw badHead(say`The header Host is missing.`);
  if (host !== undefined && !hostValue.test(host)) throw badHead(say`The header Host names no host.`);
  let seen = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i]!;
    const name = singleLengths.has(raw.length) ? singleByName.get(raw.toLowerCase()) : undefined;
    if (name === undefined) continue;
    if (seen.includes(`${name},`)) throw badHead(say`The header ${name} is repeated. Send it once.`);
    seen += `${name},`;
  }
}

/**
 * Node undoes `chunked`, refuses what does not end with it, and leaves other codings on the body (RFC 9112, section 6.1).
 * @throws 501
 */
function refuseCodings({ headers }: Request): void {
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (coding === undefined || coding === 'chunked' || !coding.endsWith('chunked')) return;
  throw new Problem(501, 'invalid_parameter', say`Only the Transfer-Encoding chunked is supported.`, {
    headers: { Connection: 'close' },
  });
}

function badHead(text: Text): Problem {
  return new Problem(400, 'invalid_parameter', text);
}
