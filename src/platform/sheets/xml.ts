/**
 * Reads XML as workbooks have it, piece by piece: a sheet is too large to hold, and a general parser takes several times
 * as long for it. It knows elements, texts, CDATA, comments and the predefined entities. A document type is refused, so
 * nothing can be declared, fetched or multiplied.
 */
import { say } from '../../contract/languages/text.ts';
import { damaged, SheetError } from './error.ts';

export interface XmlHandler {
  /** @param attributes as they stand in the file; see `attribute` */
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
}

/** Of one tag, or of one text between tags. */
const longest_piece_chars = 1024 * 1024;
/** Of one part. A table as large as can be read has fewer; more take longer than anyone should wait. */
const most_elements = 30_000_000;

export class XmlReader {
  readonly #handler: XmlHandler;
  #rest = '';
  #depth = 0;
  #elements = 0;

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
      throw new SheetError('cell_too_long', say`The workbook has a cell with far more text than a cell can have.`);
    }
  }

  end(): void {
    if (this.#depth !== 0 || this.#elements === 0 || this.#rest.trim() !== '')
      throw damaged(say`a part of it ends too early`);
  }

  #text(xml: string, from: number, to: number): void {
    const text = lineEnds(xml.slice(from, to));
    this.#handler.text(text.includes('&') ? unescaped(text) : text);
  }

  #tag(xml: string, from: number, to: number): void {
    const second = xml.charCodeAt(from + 1);
    if (second === slash) {
      if (--this.#depth < 0) throw notWellFormed();
      this.#handler.close(localName(xml, from + 2, to - 1));
    } else if (second === exclamation) {
      if (xml.startsWith('<![CDATA[', from)) this.#handler.text(lineEnds(xml.slice(from + 9, to - 3)));
      else if (!xml.startsWith('<!--', from)) throw damaged(say`its XML has a document type`);
    } else if (second !== question) {
      const is_empty = xml.charCodeAt(to - 2) === slash;
      const inner_end = is_empty ? to - 2 : to - 1;
      const name_end = nameEnd(xml, from + 1, inner_end);
      const name = localName(xml, from + 1, name_end);
      if (++this.#elements > most_elements) throw tooManyElements();
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

/**
 * @param attributes as `XmlHandler.open` gets them
 * @param name with or without its prefix
 * @throws SheetError where they are not well-formed
 */
export function attribute(attributes: string, name: string): string | undefined {
  let at = 0;
  for (;;) {
    const equals = attributes.indexOf('=', at);
    if (equals < 0) return undefined;
    let open = equals + 1;
    while (attributes.charCodeAt(open) <= space) open++;
    const quote = attributes[open];
    const close = quote === '"' || quote === "'" ? attributes.indexOf(quote, open + 1) : -1;
    if (close < 0) throw notWellFormed();
    if (isNamed(attributes, at, equals, name)) return attributeValue(attributes.slice(open + 1, close));
    at = close + 1;
  }
}

/** Whether the name that ends before `to` is the one that is looked for, behind a prefix or none. */
function isNamed(attributes: string, from: number, to: number, name: string): boolean {
  let end = to;
  while (end > from && attributes.charCodeAt(end - 1) <= space) end--;
  const begin = end - name.length;
  if (begin < from || !attributes.startsWith(name, begin)) return false;
  const before = attributes.charCodeAt(begin - 1);
  return begin === from || before <= space || before === colon;
}

/** White space in a value is a space, whatever it is in the file (XML 1.0, 3.3.3). */
function attributeValue(written: string): string {
  const text = /[\t\r\n]/.test(written) ? written.replace(/\r\n?|[\t\n]/g, ' ') : written;
  return text.includes('&') ? unescaped(text) : text;
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
    throw damaged(say`its XML has a document type`);
  }
  if (second === question) return behind(xml, '?>', from + 2);
  let quote = 0;
  for (let at = from + 1; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x3e) return at + 1;
    else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3c) throw notWellFormed();
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

/** However lines end in the file, in the text it is with a line feed (XML 1.0, 2.11). One that is escaped stays. */
function lineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));
const longest_shown_chars = 20;

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6});|#([0-9]{1,7});|([A-Za-z]+);|)/g, (whole, hex, decimal, name, at) => {
    if (whole === '&')
      throw damaged(say`its XML has “${text.slice(at, at + longest_shown_chars)}”, where & stands for nothing`);
    const character = name ? entities.get(name) : fromCode(hex ? Number.parseInt(hex, 16) : Number(decimal));
    if (character === undefined) throw damaged(say`its XML has the unknown entity ${whole}`);
    return character;
  });
}

function notWellFormed(): SheetError {
  return damaged(say`its XML is not well-formed`);
}

function tooManyElements(): SheetError {
  const limit = most_elements;
  const message = say`The workbook has more than ${limit} cells, most of them empty. Remove the formats of empty rows.`;
  return new SheetError('expands_too_much', message, { limit });
}

function fromCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
