/**
 * Reads XML as workbooks have it, piece by piece: a sheet is too large to hold, and a general parser takes several times
 * as long for it. It knows elements, texts, CDATA, comments and the predefined entities. A document type is refused, so
 * nothing can be declared, fetched or multiplied.
 */
import { damaged, SheetError } from './error.ts';

export interface XmlHandler {
  /** @param attributes as they stand in the file; see `attribute` */
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
}

/** Of one tag, or of one text between tags. */
const longest_piece_chars = 1024 * 1024;

export class XmlReader {
  readonly #handler: XmlHandler;
  #rest = '';
  #depth = 0;
  #seen = false;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  write(chunk: string): void {
    const xml = this.#rest + chunk;
    let at = 0;
    for (;;) {
      const tag = xml.indexOf('<', at);
      if (tag < 0) break;
      const end = tagEnd(xml, tag);
      if (end < 0) break;
      if (tag > at) this.#text(xml, at, tag);
      this.#tag(xml, tag, end);
      at = end;
    }
    this.#rest = xml.slice(at);
    if (this.#rest.length > longest_piece_chars) {
      throw new SheetError('cell_too_long', 'The workbook has a cell with far more text than a cell can have.');
    }
  }

  end(): void {
    if (this.#depth !== 0 || !this.#seen || this.#rest.trim() !== '') throw damaged('a part of it ends too early');
  }

  #text(xml: string, from: number, to: number): void {
    const text = xml.slice(from, to);
    this.#handler.text(text.includes('&') ? unescaped(text) : text);
  }

  #tag(xml: string, from: number, to: number): void {
    const second = xml.charCodeAt(from + 1);
    if (second === slash) {
      if (--this.#depth < 0) throw damaged('its XML is not well-formed');
      this.#handler.close(localName(xml, from + 2, to - 1));
    } else if (second === exclamation) {
      if (xml.startsWith('<![CDATA[', from)) this.#handler.text(xml.slice(from + 9, to - 3));
      else if (!xml.startsWith('<!--', from)) throw damaged('its XML has a document type');
    } else if (second !== question) {
      const is_empty = xml.charCodeAt(to - 2) === slash;
      const inner_end = is_empty ? to - 2 : to - 1;
      const name_end = nameEnd(xml, from + 1, inner_end);
      const name = localName(xml, from + 1, name_end);
      this.#seen = true;
      this.#handler.open(name, xml.slice(name_end, inner_end));
      if (is_empty) this.#handler.close(name);
      else this.#depth++;
    }
  }
}

/** Reads a whole part at once. */
export function readXml(xml: string, handler: XmlHandler): void {
  const reader = new XmlReader(handler);
  for (let at = 0; at < xml.length; at += 65_536) reader.write(xml.slice(at, at + 65_536));
  reader.end();
}

/** @param attributes as `XmlHandler.open` gets them */
export function attribute(attributes: string, name: string): string | undefined {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    const before = attributes.charCodeAt(at - 1);
    if (before > space && before !== colon) continue; // the end of a longer name
    let value = at + name.length;
    while (attributes.charCodeAt(value) <= space) value++;
    if (attributes[value] !== '=') continue;
    do value++;
    while (attributes.charCodeAt(value) <= space);
    const quote = attributes[value];
    if (quote !== '"' && quote !== "'") continue;
    const end = attributes.indexOf(quote, value + 1);
    if (end < 0) return undefined;
    const text = attributes.slice(value + 1, end);
    return text.includes('&') ? unescaped(text) : text;
  }
}

/** Workbooks write characters that XML can't have, and what looks like one of these, as `_x0000_` (ECMA-376, 22.9.2.19). */
export function unescapeCharacters(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const space = 0x20;
const exclamation = 0x21;
const slash = 0x2f;
const colon = 0x3a;
const question = 0x3f;

/** @returns where the next piece begins; -1 when the tag is not all there */
function tagEnd(xml: string, from: number): number {
  const second = xml.charCodeAt(from + 1);
  if (second === exclamation) {
    if (xml.length - from < 9) return -1; // it may become CDATA
    if (xml.startsWith('<!--', from)) return behind(xml, '-->', from + 4);
    if (xml.startsWith('<![CDATA[', from)) return behind(xml, ']]>', from + 9);
    throw damaged('its XML has a document type');
  }
  if (second === question) return behind(xml, '?>', from + 2);
  let quote = 0;
  for (let at = from + 1; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x3e) return at + 1;
    else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3c) throw damaged('its XML is not well-formed');
  }
  return -1;
}

function behind(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

function nameEnd(xml: string, from: number, to: number): number {
  let at = from;
  while (at < to && xml.charCodeAt(at) > space) at++;
  return at;
}

/** Without the prefix: which prefix stands for which names is the choice of the program that wrote the file. */
function localName(xml: string, from: number, to: number): string {
  const name = xml.slice(from, to);
  const at = name.indexOf(':');
  return (at < 0 ? name : name.slice(at + 1)).trimEnd();
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-z]+));/g, (whole, hex, decimal, name) => {
    const character = name ? entities[name] : fromCode(hex ? Number.parseInt(hex, 16) : Number(decimal));
    if (character === undefined) throw damaged(`its XML has the unknown entity ${whole}`);
    return character;
  });
}

function fromCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
