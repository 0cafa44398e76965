/**
 * Validates an assertion whose signature is verified: issuer, recipient, audience, request, and time (SAML 2.0 profiles, section
 * 4.1.4.3). Reads signed content only.
 */
import type { Claims } from '../claims.ts';
import { skewMs } from './clock.ts';
import { XmlError } from './xml.ts';

/** As xml2js parses it: attributes in `$`, text in `_`, and child elements in lists, without prefixes. */
interface Element {
  $?: Record<string, string>;
  _?: string;
  [name: string]: Element[] | Record<string, string> | string | undefined;
}

interface Expected {
  issuer: string;
  acs_url: string;
  request_id: string;
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** The attribute in which Entra ID lists the authentication methods. */
const methodsAttribute = 'http://schemas.microsoft.com/claims/authnmethodsreferences';
const maxSubject = 512;
const maxAttributes = 100;

/**
 * @param signed the part that node-saml verified
 * @returns the claims; `sub` is empty if the assertion lacks the identifier that the connection is set up for
 * @throws XmlError
 */
export function claimsOfAssertion(
  signed: Record<string, unknown>,
  expected: Expected,
  subjectAttribute: string | null,
): Claims & { assertion_id: string } {
  const assertion = signed.Assertion as Element;
  const id = assertion.$?.ID;
  if (!id || assertion.$?.Version !== '2.0') throw new XmlError('the assertion is not SAML 2.0');
  const issuer = textOf(list(assertion, 'Issuer')[0]);
  if (issuer !== expected.issuer)
    throw new XmlError(`the assertion was issued by ${issuer}, not by ${expected.issuer}`);
  const subject = list(assertion, 'Subject')[0];
  if (!subject) throw new XmlError('the assertion has no subject');
  requireConfirmation(list(subject, 'SubjectConfirmation'), expected);
  requireConditions(list(assertion, 'Conditions'));
  const authentication = authenticationOf(list(assertion, 'AuthnStatement'));
  const attributes = attributesOf(list(assertion, 'AttributeStatement'));
  const nameId = list(subject, 'NameID')[0];
  const methods = attributes[methodsAttribute];
  return {
    sub: subjectOf(nameId, attributes, subjectAttribute),
    ...authentication,
    ...(methods && { amr: methods }),
    email: addressOf(nameId, attributes),
    assertion_id: id,
    shown: { NameID: textOf(nameId), 'NameID Format': nameId?.$?.Format ?? '', ...formattedAttributes(attributes) },
  };
}

/** Requires a bearer confirmation for our ACS URL and our request, or else an assertion obtained elsewhere would pass. */
function requireConfirmation(confirmations: readonly Element[], { acs_url: acsUrl, request_id: requestId }: Expected) {
  const data = confirmations
    .filter(({ $ }) => $?.Method === bearer)
    .map((each) => list(each, 'SubjectConfirmationData')[0]?.$ ?? {});
  if (data.length === 0) throw new XmlError('the assertion has no bearer confirmation');
  const forThisService = data.filter(({ Recipient: recipient }) => recipient === acsUrl);
  if (forThisService.length === 0)
    throw new XmlError(`the recipient of the assertion is ${data[0]!.Recipient}, not ${acsUrl}`);
  const forThisRequest = forThisService.filter(({ InResponseTo: responseTo }) => responseTo === requestId);
  if (forThisRequest.length === 0) throw new XmlError('the assertion does not respond to the request');
  if (!forThisRequest.some(({ NotOnOrAfter: end, NotBefore: start }) => isNow(start, end) && end)) {
    throw new XmlError('the assertion has expired');
  }
}

/** node-saml checks the conditions, but accepts an assertion without them. */
function requireConditions(conditions: readonly Element[]): void {
  if (conditions.length !== 1 || list(conditions[0]!, 'AudienceRestriction').length === 0) {
    throw new XmlError('the assertion has no audience');
  }
}

function authenticationOf(statements: readonly Element[]) {
  const statement = statements[0];
  const atMs = Date.parse(statement?.$?.AuthnInstant ?? '');
  if (!statement || Number.isNaN(atMs)) throw new XmlError('the assertion has no authentication statement');
  if (atMs > Date.now() + skewMs) throw new XmlError('the authentication is in the future');
  if (!isNow(undefined, statement.$?.SessionNotOnOrAfter)) throw new XmlError('the session at the provider has ended');
  const context = list(statement, 'AuthnContext')[0];
  const acr = context && textOf(list(context, 'AuthnContextClassRef')[0]);
  return { auth_time: Math.floor(Math.min(atMs, Date.now()) / 1_000), ...(acr && { acr }) };
}

function attributesOf(statements: readonly Element[]): Record<string, string[]> {
  const all = statements.flatMap((statement) => list(statement, 'Attribute')).slice(0, maxAttributes);
  const attributes: Record<string, string[]> = Object.create(null);
  for (const each of all) {
    const name = each.$?.Name;
    if (!name) continue;
    attributes[name] = [...(attributes[name] ?? []), ...list(each, 'AttributeValue').map(textOf)];
  }
  return attributes;
}

function formattedAttributes(attributes: Record<string, string[]>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(attributes).map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** Names that providers use. */
const emailAttributes = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

function addressOf(nameId: Element | undefined, attributes: Record<string, string[]>): string | undefined {
  const named = emailAttributes.map((name) => attributes[name]).find((values) => values?.length === 1)?.[0];
  return named ?? (nameId?.$?.Format === emailFormat ? textOf(nameId) : undefined);
}

/** Never an email address: a provider may reassign it, and its new owner would sign in as the former one. */
function subjectOf(
  nameId: Element | undefined,
  attributes: Record<string, string[]>,
  attribute: string | null,
): string {
  const values =
    attribute === null ? (nameId?.$?.Format === persistent ? [textOf(nameId)] : []) : attributes[attribute];
  const [value] = values ?? [];
  return values?.length === 1 && value && value.length <= maxSubject ? value : '';
}

function isNow(start: string | undefined, end: string | undefined): boolean {
  const now = Date.now();
  const hasStarted = start === undefined || Date.parse(start) <= now + skewMs;
  return hasStarted && (end === undefined || Date.parse(end) > now - skewMs);
}

function list(element: Element, name: string): Element[] {
  const found = element[name];
  // xml2js gives an element without attributes and children as a string.
  return Array.isArray(found) ? found.map((each) => (typeof each === 'string' ? { _: each } : each)) : [];
}

function textOf(element: Element | undefined): string {
  return element?._?.trim() ?? '';
}
