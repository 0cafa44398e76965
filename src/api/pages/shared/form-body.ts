/**
 * Lets the token and revocation endpoints accept forms (RFC 6749) and JSON. The library reads only forms from unread requests, so
 * the parsed body is passed in a stand-in request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { normalizeCoding } from '../../http/body/content-coding.ts';
import { decodeUtf8, requireUtf8Form } from '../../http/body/utf8.ts';

const maxBodyBytes = 56 * 1024; // the library's own limit for forms

/** Far above what any request needs. */
const maxFields = 100;

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

const readers = [
  express.json({ limit: maxBodyBytes, verify: (_req, _res, bytes) => void decodeUtf8(bytes) }),
  express.text({
    limit: maxBodyBytes,
    type: 'application/x-www-form-urlencoded',
    verify: (_req, _res, bytes) => requireUtf8Form(bytes),
  }),
];

interface FormSteps {
  addCors(req: Request, res: Response): Promise<void>;
  /** May reject the request, after sending the response. */
  admit?(req: Request, res: Response, form: URLSearchParams): Promise<boolean>;
  adjust?(form: URLSearchParams): void;
}

/** Passes requests on with a form body; sends `invalid_request` for an unusable one. */
export function formHandler(handle: Handle, { addCors, admit, adjust }: FormSteps): RequestHandler {
  return async (req, res) => {
    let form: URLSearchParams;
    normalizeCoding(req.headers);
    try {
      for (const reader of readers)
        await new Promise<void>((done, failed) => reader(req, res, (e) => (e ? failed(e) : done())));
      if (req.body === undefined) return handle(req, res); // no body or another media type: the library reports it
      form = toForm(req.body);
    } catch {
      const body = {
        error: 'invalid_request',
        error_description: `the body must be a form, or a JSON object of strings, in UTF-8, with at most ${maxFields} fields`,
      };
      await addCors(req, res);
      res.set('Cache-Control', 'no-store').status(400).json(body);
      return;
    }
    if (admit && !(await admit(req, res, form))) return;
    adjust?.(form);
    handle(requestWithForm(req, form.toString()), res);
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
 * Some clients send their access token with every request. It doesn't authenticate the client (RFC 6749, section 2.3), but the
 * library would count it as a second authentication.
 */
function isBearer(authorization: string | undefined): boolean {
  return /^Bearer(?: |$)/i.test(authorization ?? '');
}

function requestWithForm(req: Request, form: string): IncomingMessage {
  const content = Buffer.from(form);
  const { 'transfer-encoding': _, 'content-encoding': __, ...headers } = req.headers;
  if (isBearer(headers.authorization)) delete headers.authorization;
  headers['content-type'] = 'application/x-www-form-urlencoded';
  headers['content-length'] = String(content.length);
  const { method, url, originalUrl, socket, httpVersion, httpVersionMajor, httpVersionMinor } = req;
  const request = { method, url, originalUrl, socket, httpVersion, httpVersionMajor, httpVersionMinor, headers };
  return Object.assign(Readable.from([content]), request) as unknown as IncomingMessage;
}
