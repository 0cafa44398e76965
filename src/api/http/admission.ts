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
   * @throws Problem 400, 414, 431 or 503
   */
  admit(req: Request, res: Response, traffic: Traffic | undefined): void;
}

export function createAdmission(limits: Config['http']): Admission {
  const { max_url_bytes, max_headers, max_requests_in_flight } = limits;
  const in_flight: Record<Traffic, number> = { api: 0, files: 0, pages: 0 };
  return {
    admit(req, res, traffic) {
      if (req.url.length > max_url_bytes) {
        throw new Problem(414, 'invalid_parameter', say`The address is longer than ${max_url_bytes} bytes.`);
      }
      // Name and value stand in turn.
      if (req.rawHeaders.length > 2 * max_headers) {
        throw new Problem(431, 'invalid_parameter', say`There are more than ${max_headers} headers.`);
      }
      refuseHost(req);
      if (!traffic) return;
      if (in_flight[traffic] >= max_requests_in_flight) throw overloaded();
      in_flight[traffic] += 1;
      res.once('close', () => {
        in_flight[traffic] -= 1;
      });
    },
  };
}

/** As in an address: a name, or an address in brackets, and a port (RFC 9110, section 7.2). */
const host_value = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/**
 * Of two hosts a proxy may have meant the one and we the other (RFC 9112, section 3.2).
 * @throws 400 for none, more than one, and what can't be one
 */
function refuseHost({ headers: { host }, httpVersionMinor, rawHeaders }: Request): void {
  if (host === undefined) {
    if (httpVersionMinor >= 1) throw badHost(say`The header Host is missing.`);
    return;
  }
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) throw badHost(say`The header Host is there more than once.`);
  if (!host_value.test(host)) throw badHost(say`The header Host names no host.`);
}

function badHost(text: Text): Problem {
  return new Problem(400, 'invalid_parameter', text);
}
