/**
 * The token and revocation endpoints take a form (RFC 6749) and JSON alike. The library reads forms only, and only from
 * a request nobody has read: so the body goes into a request that stands for the one that came.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { normalizeCoding } from '../../http/content-coding.ts';
import { decodeUtf8, requireUtf8Form } from '../../http/utf8.ts';

const maxBodyBytes = 56 * 1024; // the library's own limit for forms

/** Far more than any request here has. */
const maxFields = 100;

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

const read = [
  express.json({ limit: maxBodyBytes, verify: (_req, _res, bytes) => void decodeUtf8(bytes) }),
  express.text({
    limit: maxBodyBytes,
    type: 'application/x-www-form-urlencoded',
    verify: (_req, _res, bytes) => requireUtf8Form(bytes),
  }),
];

interface FormSteps {
  /** Called before a refusal is sent. */
  share(req: Request, res: Response): Promise<void>;
  /** May refuse the request; it has answered then. */
  admit?(req: Request, res: Response, form: URLSearchParams): Promise<boolean>;
  /** May change the form before the library sees it. */
  adjust?(form: URLSearchParams): void;
}

/** Hands requests on with a form for a body; a body that can't be one is answered with `invalid_request`. */
export function formHandler(handle: Handle, { share, admit, adjust }: FormSteps): RequestHandler {
  return async (req, res) => {
    let form: URLSearchParams;
    normalizeCoding(req.headers);
    try {
      for (const reader of read)
        await new Promise<void>((done, failed) => reader(req, res, (e) => (e ? failed(e) : done())));
      if (req.body === undefined) return handle(req, res); // another media type, or nothing: the library says so
      form = toForm(req.body);
    } catch {
      const body = {
        error: 'invalid_request',
        error_description: `the body must be a form, or a JSON object of strings, in UTF-8, with at most ${maxFields} fields`,
      };
      await share(req, res);
      res.set('Cache-Control', 'no-store').status(400).json(body);
      return;
    }
    if (admit && !(await admit(req, res, form))) return;
    adjust?.(form);
    handle(standIn(req, form.toString()), res);
  };
}

function toForm(body: unknown): URLSearchParams {
  if (typeof body === 'string') {
    if (body.split('&', maxFields + 1).length > maxFields) throw new RangeError('too many fields');
    return new URLSearchParams(body);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new TypeError('not an object');
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'object' && each !== null) throw new TypeError(`${name} is not a string`);
      if (each === null) continue;
      if (!String(each).isWellFormed()) throw new TypeError(`${name} is not well-formed`);
      form.append(name, String(each));
      if (form.size > maxFields) throw new RangeError('too many fields');
    }
  }
  return form;
}

/**
 * Some clients send the token they have with every request, so with a refresh too. It is no authentication of a client (RFC
 * 6749, section 2.3), and the library would take it for a second one beside the secret in the form.
 */
function isBearer(authorization: string | undefined): boolean {
  return /^Bearer(?: |$)/i.test(authorization ?? '');
}

function standIn(req: Request, form: string): IncomingMessage {
  const content = Buffer.from(form);
  const { 'transfer-encoding': _, 'content-encoding': __, ...headers } = req.headers;
  if (isBearer(headers.authorization)) delete headers.authorization;
  headers['content-type'] = 'application/x-www-form-urlencoded';
  headers['content-length'] = String(content.length);
  const { method, url, originalUrl, socket, httpVersion, httpVersionMajor, httpVersionMinor } = req;
  const request = { method, url, originalUrl, socket, httpVersion, httpVersionMajor, httpVersionMinor, headers };
  return Object.assign(Readable.from([content]), request) as unknown as IncomingMessage;
}
