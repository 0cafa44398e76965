/** The checker of recorded exchanges detects deviations from the contract. */
import { createExchangeValidator } from '../../scripts/proof/exchanges/validate-exchange.ts';
import { contract } from '../../src/contract/contract.ts';
import type { RecordedExchange } from '../helpers/contract/record-exchanges.ts';

const validate = await createExchangeValidator(contract as never);

const company = '0199a3b8-7d21-7c4e-9a15-3f6b8e2d4c70';
const person = (contract.components.examples as Record<string, { value: object }>).CollaboratorAsAdmin!.value;
const good: RecordedExchange = {
  method: 'PUT',
  url: '/v1/collaborators/0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30',
  requestHeaders: { 'x-company-id': company },
  request_body: { phone: '', salary: 999_999_999_999.99 },
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'request',
    'x-api-version': contract.info.version,
    etag: '"tag"',
    ratelimit: '"default";r=299;t=60',
  },
  body: JSON.stringify(person),
};
const { etag: _, ...withoutEtag } = good.headers;

test('accepts the contract’s own examples', async () => {
  expect(await validate(good)).toEqual({ operationId: 'updateCollaborator', errors: [] });
});

test.each<[string, Partial<RecordedExchange>, string]>([
  ['another status', { status: 418 }, 'the status is not declared'],
  ['no body', { body: undefined }, 'there is no body'],
  ['another media type', { headers: { ...good.headers, 'content-type': 'text/plain' } }, 'text/plain is not declared'],
  ['no ETag', { headers: withoutEtag }, 'the header ETag is missing'],
  ['a weak ETag', { headers: { ...good.headers, etag: 'W/"tag"' } }, 'header ETag: pattern'],
  ['a field that is missing', { body: JSON.stringify({ ...person, name: undefined }) }, 'body: required'],
  ['a status that there is not', { body: JSON.stringify({ ...person, status: 'asleep' }) }, 'body: enum at /status'],
  ['a day that there is not', { body: JSON.stringify({ ...person, hire_date: '2026-02-30' }) }, 'body: format'],
  ['a request that was not allowed', { request_body: { salary: 0.001 } }, 'request: multipleOf at /salary'],
  ['an unknown field', { request_body: { shoe_size: 42 } }, 'request: not allowed at /shoe_size'],
  ['an unknown parameter', { url: `${good.url}?shoe_size=42` }, 'the parameter shoe_size is unknown'],
  ['no company', { requestHeaders: {} }, 'the header parameter X-Company-Id is missing'],
])('detects %s', async (_name, change, expected) => {
  const verdict = await validate({ ...good, ...change });
  expect(verdict!.errors.join('\n')).toContain(expected);
});

test('accepts any rejected request, and skips unknown paths', async () => {
  const body = JSON.stringify({ error: 'validation_error', message: 'No.', details: {} });
  const headers = { ...good.headers, 'content-language': 'en' };
  const requestBody = { shoe_size: 42 };
  const refused = { ...good, status: 400, headers, request_body: requestBody, url: `${good.url}?x=1`, body };
  expect((await validate(refused))!.errors).toEqual([]);
  expect(await validate({ ...good, url: '/nowhere' })).toBeUndefined();
});
