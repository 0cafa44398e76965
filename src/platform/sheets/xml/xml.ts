/**
 * A streaming XML parser for workbooks: a sheet doesn't fit in memory, and a general parser takes several times as long. Supports
 * elements, texts, CDATA, comments, and the predefined entities. Rejects document types, which prevents entity expansion and
 * external entities.
 */
import { t } from '../../../contract/languages/text.ts';
import { damaged, SheetError } from '../model/error.ts';

export interface XmlHandler {
  /** @param attributes unparsed; see `attribute` */
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
}

/** Of one tag, or one text between tags. */
const maxPieceChars = 1024 * 1024;
/** Of one part; the largest readable table has fewer. */
const maxElements = 30_000_000;
/** Far more than any program writes; bounds the open elements. */
const maxDepth = 1_000;

export class XmlReader {
  readonly #handler: XmlHandler;
  /** The incomplete end of what has been scanned. */
  #rest = '';
  /** Chunks after it. */
  #more: string[] = [];
  #moreChars = 0;
  #depth = 0;
  #elements = 0;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  /** Rescans an incomplete token only when its size has doubled, so the cost is linear. */
  write(chunk: string): void {
    this.#more.push(chunk);
    this.#moreChars += chunk.length;
    if (this.#moreChars >= this.#rest.length) this.#read();
  }

  end(): void {
    this.#read();
    if (this.#depth !== 0 || this.#elements === 0 || this.#rest.trim() !== '')
      throw damaged(t`a part of it ends too early`);
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
      if (tag - at > maxPieceChars || end - tag > maxPieceChars) throw pieceTooLong();
      if (tag > at) this.#text(xml, at, tag);
      this.#tag(xml, tag, end);
      at = end;
    }
    this.#rest = xml.slice(at);
    if (this.#rest.length > maxPieceChars) throw pieceTooLong();
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
    } else if (second === exclamationMark) {
      if (xml.startsWith('<![CDATA[', from)) this.#handler.text(lineEnds(xml.slice(from + 9, to - 3)));
      else if (!xml.startsWith('<!--', from)) throw damaged(t`its XML has a document type`);
    } else if (second !== questionMark) {
      const isEmpty = xml.charCodeAt(to - 2) === slash;
      const innerEnd = isEmpty ? to - 2 : to - 1;
      const endOfName = nameEnd(xml, from + 1, innerEnd);
      const name = localName(xml, from + 1, endOfName);
      if (++this.#elements > maxElements) throw tooManyElements();
      this.#handler.open(name, xml.slice(endOfName, innerEnd));
      if (isEmpty) this.#handler.close(name);
      else if (++this.#depth > maxDepth) throw notWellFormed();
    }
  }
}

export function readXml(xml: string, handler: XmlHandler): void {
  const reader = new XmlReader(handler);
  for (let at = 0; at < xml.length; at += 65_536) reader.write(xml.slice(at, at + 65_536));
  reader.end();
}

/** @param attributes from `XmlHandler.open` @param name with or without its prefix */
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

/** Whether the name before `to` is this one, with or without a prefix. */
function isNamed(attributes: string, from: number, to: number, name: string): boolean {
  let end = to;
  while (end > from && attributes.charCodeAt(end - 1) <= space) end--;
  const begin = end - name.length;
  if (begin < from || !attributes.startsWith(name, begin)) return false;
  const before = attributes.charCodeAt(begin - 1);
  return begin === from || before <= space || before === colon;
}

/** White space in values becomes spaces (XML 1.0, 3.3.3). */
function attributeValue(written: string): string {
  const text = /[\t\r\n]/.test(written) ? written.replace(/\r\n?|[\t\n]/g, ' ') : written;
  return text.includes('&') ? unescaped(text) : text;
}

/** Workbooks write characters that XML forbids, and texts that look like an escape, as `_x0000_` (ECMA-376, 22.9.2.19). */
export function unescapeCharacters(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const space = 0x20;
const exclamationMark = 0x21;
const slash = 0x2f;
const colon = 0x3a;
const questionMark = 0x3f;

/** @returns where the next token starts; -1 when the tag is incomplete */
function tagEnd(xml: string, from: number): number {
  const second = xml.charCodeAt(from + 1);
  if (second === exclamationMark) {
    if (xml.length - from < 9) return -1; // may become CDATA
    if (xml.startsWith('<!--', from)) return endAfter(xml, '-->', from + 4);
    if (xml.startsWith('<![CDATA[', from)) return endAfter(xml, ']]>', from + 9);
    throw damaged(t`its XML has a document type`);
  }
  if (second === questionMark) return endAfter(xml, '?>', from + 2);
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

function endAfter(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

function nameEnd(xml: string, from: number, to: number): number {
  let at = from;
  while (at < to && xml.charCodeAt(at) > space) at++;
  return at;
}

/** Without the prefix, which the writing program may choose freely. */
function localName(xml: string, from: number, to: number): string {
  const name = xml.slice(from, to);
  const at = name.indexOf(':');
  return (at < 0 ? name : name.slice(at + 1)).trimEnd();
}

/** Normalizes line endings to line feeds (XML 1.0, 2.11), except escaped ones. */
function lineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));
const maxExcerptChars = 20;
const maxEntityChars = 40;

/** Not with a regular expression: there may be a hundred million entities. */
function unescaped(text: string): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at);
    const name = end < 0 || end - at > maxEntityChars ? '' : text.slice(at + 1, end);
    const character = entities.get(name) ?? fromCode(name);
    if (character === undefined) throw unknownEntity(text, at, name);
    out += text.slice(from, at) + character;
    from = end + 1;
  }
  return out + text.slice(from);
}

/** @param name between & and ; if any */
function unknownEntity(text: string, at: number, name: string): SheetError {
  if (/^(?:#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z]+)$/.test(name))
    return damaged(t`its XML has the unknown entity ${`&${name};`}`);
  return damaged(t`its XML has “${text.slice(at, at + maxExcerptChars)}”, where & stands for nothing`);
}

function notWellFormed(): SheetError {
  return damaged(t`its XML is not well-formed`);
}

function pieceTooLong(): SheetError {
  return new SheetError('cell_too_long', t`The workbook has a cell with far more text than a cell can have.`);
}

function tooManyElements(): SheetError {
  const limit = maxElements;
  const message = t`The workbook has more than ${limit} cells, most of them empty. Remove the formats of empty rows.`;
  return new SheetError('expands_too_much', message, { limit });
}

/** @param name as `#233` or `#xe9` */
function fromCode(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
