/**
 * Reads XML as workbooks have it, piece by piece: a sheet is too large to hold, and a general parser takes several times
 * as long for it. It knows elements, texts, CDATA, comments and the predefined entities. A document type is refused, so
 * nothing can be declared, fetched or multiplied.
 */
import { say } from '../../../contract/languages/text.ts';
import { damaged, SheetError } from '../model/error.ts';

export interface XmlHandler {
  /** @param attributes as they stand in the file; see `attribute` */
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
}

/** Of one tag, or of one text between tags. */
const longestPieceChars = 1024 * 1024;
/** Of one part. A table as large as can be read has fewer; more take longer than anyone should wait. */
const mostElements = 30_000_000;
/** Far more than any program writes; each that is open is remembered. */
const mostDepth = 1_000;

export class XmlReader {
  readonly #handler: XmlHandler;
  /** What has been gone over, and does not end yet. */
  #rest = '';
  /** What came behind it. */
  #more: string[] = [];
  #moreChars = 0;
  #depth = 0;
  #elements = 0;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  /** A piece that does not end is gone over again only when there is as much more: so it costs twice its size at most. */
  write(chunk: string): void {
    this.#more.push(chunk);
    this.#moreChars += chunk.length;
    if (this.#moreChars >= this.#rest.length) this.#read();
  }

  end(): void {
    this.#read();
    if (this.#depth !== 0 || this.#elements === 0 || this.#rest.trim() !== '')
      throw damaged(say`a part of it ends too early`);
  }

  #read(): void {
    const xml = this.#rest + this.#more.join('');
    this.#more = [];
    this.#moreChars = 0;
    let at = 0;
    for (;;) {
      const tag = xml.indexOf('<', at);
      if (tag < 0) break;
      const end = tagEnd(xml, tag);
      if (end < 0) break;
      if (tag - at > longestPieceChars || end - tag > longestPieceChars) throw pieceTooLong();
      if (tag > at) this.#text(xml, at, tag);
      this.#tag(xml, tag, end);
      at = end;
    }
    this.#rest = xml.slice(at);
    if (this.#rest.length > longestPieceChars) throw pieceTooLong();
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
      const isEmpty = xml.charCodeAt(to - 2) === slash;
      const innerEnd = isEmpty ? to - 2 : to - 1;
      const endOfName = nameEnd(xml, from + 1, innerEnd);
      const name = localName(xml, from + 1, endOfName);
      if (++this.#elements > mostElements) throw tooManyElements();
      this.#handler.open(name, xml.slice(endOfName, innerEnd));
      if (isEmpty) this.#handler.close(name);
      else if (++this.#depth > mostDepth) throw notWellFormed();
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
  for (let at = from + 1; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (code === 0x3e) return at + 1;
    if (code === 0x3c) throw notWellFormed();
    if (code !== 0x22 && code !== 0x27) continue;
    at = xml.indexOf(code === 0x22 ? '"' : "'", at + 1);
    if (at < 0) return -1;
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
const longestShownChars = 20;
const longestEntityChars = 40;

/** By hand, and not by a pattern: there may be a hundred million. */
function unescaped(text: string): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at);
    const name = end < 0 || end - at > longestEntityChars ? '' : text.slice(at + 1, end);
    const character = entities.get(name) ?? fromCode(name);
    if (character === undefined) throw unknownEntity(text, at, name);
    out += text.slice(from, at) + character;
    from = end + 1;
  }
  return out + text.slice(from);
}

/** @param name between & and ; when there is one */
function unknownEntity(text: string, at: number, name: string): SheetError {
  if (/^(?:#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z]+)$/.test(name))
    return damaged(say`its XML has the unknown entity ${`&${name};`}`);
  return damaged(say`its XML has “${text.slice(at, at + longestShownChars)}”, where & stands for nothing`);
}

function notWellFormed(): SheetError {
  return damaged(say`its XML is not well-formed`);
}

function pieceTooLong(): SheetError {
  return new SheetError('cell_too_long', say`The workbook has a cell with far more text than a cell can have.`);
}

function tooManyElements(): SheetError {
  const limit = mostElements;
  const message = say`The workbook has more than ${limit} cells, most of them empty. Remove the formats of empty rows.`;
  return new SheetError('expands_too_much', message, { limit });
}

/** @param name as `#233` or `#xe9` */
function fromCode(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
