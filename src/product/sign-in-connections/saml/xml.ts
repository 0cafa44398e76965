/**
 * Parses untrusted XML with limits on size, elements, and depth, and without document types, so that no entity can be declared.
 * Signature verification uses the same parser, so both see the same document.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Loaded when first used. The package's own types would pull in DOM types. */
const loadParser = (): {
  DOMParser: new (options: object) => { parseFromString(text: string, type: string): { documentElement: XmlElement } };
} => require('@xmldom/xmldom');

export interface XmlElement {
  localName: string;
  namespaceURI: string | null;
  textContent: string | null;
  childNodes: ArrayLike<unknown>;
  attributes: ArrayLike<unknown>;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<XmlElement>;
}

export const namespaces = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

/** In characters. */
export const maxXmlCharacters = 256 * 1024;
const maxDepth = 20;
/** Per element. */
const maxAttributes = 20;

/** For metadata, which is only parsed. */
const maxElements = 20_000;
/** For a response: verification time grows quadratically. A person in 500 groups fits. */
const maxSigned = { elements: 1_000, attributes: 2_500 };

/** Its message is for an admin. */
export class XmlError extends Error {
  override name = 'XmlError';
}

/**
 * @param isSigned whether its signature will be verified
 * @throws XmlError
 */
export function parseXml(text: string, isSigned = false): XmlElement {
  if (text.length > maxXmlCharacters) throw new XmlError('the XML is too large');
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw new XmlError('the XML has a document type');
  // Not allowed in XML, but the parser accepts it.
  if (text.includes('\0') || /&#(?:x0+|0+);/i.test(text)) throw new XmlError('the XML has a NUL');
  if (/<\?(?!xml\s)/.test(text)) throw new XmlError('the XML has a processing instruction');
  const tags = text.split('<', maxElements + 1).length;
  if (tags > maxElements) throw new XmlError('the XML has too many elements');
  const refuse = (message: string) => {
    throw new XmlError(`the XML is not well-formed: ${message.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  };
  const { DOMParser } = loadParser();
  const parser = new DOMParser({ locator: {}, errorHandler: { warning: refuse, error: refuse, fatalError: refuse } });
  let root: XmlElement | undefined;
  try {
    root = parser.parseFromString(text, 'text/xml').documentElement;
  } catch (error) {
    throw error instanceof XmlError ? error : new XmlError('the XML is not well-formed');
  }
  if (!root) throw new XmlError('the XML has no element');
  requireWithinLimits(root, isSigned ? maxSigned : { elements: maxElements, attributes: maxElements });
  return root;
}

/** Descendants by name, at any depth. */
export function elements(within: XmlElement, namespace: string, name: string): XmlElement[] {
  return Array.from(within.getElementsByTagNameNS(namespace, name));
}

/** Direct children by name. */
export function children(within: XmlElement, namespace: string, name: string): XmlElement[] {
  return childElements(within).filter((each) => each.namespaceURI === namespace && each.localName === name);
}

function childElements(within: XmlElement): XmlElement[] {
  return Array.from(within.childNodes).filter(
    (node): node is XmlElement => (node as { nodeType: number }).nodeType === 1,
  );
}

/** Later steps recurse, and visit the namespaces in scope of each element, so limit depth and counts. */
function requireWithinLimits(root: XmlElement, max: typeof maxSigned): void {
  let level = [root];
  const count = { elements: 0, attributes: 0 };
  for (let depth = 0; level.length > 0; depth += 1) {
    count.elements += level.length;
    for (const { attributes } of level) count.attributes += attributes.length;
    if (depth > maxDepth) throw new XmlError('the XML is too deep');
    if (count.elements > max.elements || count.attributes > max.attributes)
      throw new XmlError('the XML has too many elements or attributes');
    if (level.some(({ attributes }) => attributes.length > maxAttributes)) {
      throw new XmlError('an element has too many attributes');
    }
    level = level.flatMap(childElements);
  }
}
