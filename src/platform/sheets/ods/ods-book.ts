/**
 * What an OpenDocument spreadsheet says beside its cells: which tables it has, and which styles make of a number a date, or
 * fill it up with zeros.
 */
import { formatOf, type NumberFormat } from '../cells/number-formats.ts';
import { attribute, type XmlHandler } from '../xml/xml.ts';

interface OdsSheet {
  name: string;
  isVisible: boolean;
  /** Which table of the document it is, counted from 0. */
  place: number;
  /** Its cells are copies of those in another file. */
  isLinked: boolean;
}

/** A style for numbers, while it is heard. */
interface Format {
  attributes: string;
  /** As other workbooks write it: zeros, and texts in quotes. */
  code: string;
  /** Whether it writes zeros in front. */
  fillsUp: boolean;
  /** Whether it does nothing that the import could not follow. */
  isPlain: boolean;
}

const firstDayOf1904 = '1904-01-01';
const mostDigits = 30;
const longestTextChars = 100;
const mostStyles = 10_000;

/** Hears `styles.xml` and then `content.xml`, each from its beginning to its end. */
export class OdsBook implements XmlHandler {
  /** Whether what is heard is a spreadsheet. */
  isSpreadsheet = false;
  from1904 = false;
  readonly #tables: { name: string; style: string | undefined; isLinked: boolean }[] = [];
  readonly #hidden = new Set<string>();
  /** Styles for numbers, by name. */
  readonly #formats = new Map<string, NumberFormat>();
  /** By name, for cells: the name of the style for numbers. */
  readonly #styles = new Map<string, string>();
  readonly #open: string[] = [];
  #style = '';
  #format: Format | undefined;

  get sheets(): OdsSheet[] {
    return this.#tables.map(({ name, style, isLinked }, place) => {
      return { name, isVisible: style === undefined || !this.#hidden.has(style), place, isLinked };
    });
  }

  /** For styles of cells that change what a number means, what it is. */
  formats(): Map<string, NumberFormat> {
    const named = [...this.#styles].map(([style, format]) => [style, this.#formats.get(format)] as const);
    return new Map(named.filter((each): each is [string, NumberFormat] => each[1] !== undefined));
  }

  open(name: string, attributes: string): void {
    const parent = this.#open.at(-1);
    this.#open.push(name);
    if (this.#format) this.#openInFormat(this.#format, name, attributes);
    else if (name === 'number-style') {
      this.#format = { attributes, code: '', fillsUp: false, isPlain: true };
    } else if (name === 'date-style' || name === 'time-style') this.#addFormat(attributes, { kind: 'date' });
    else if (name === 'percentage-style') this.#addFormat(attributes, { kind: 'percent' });
    else if (name === 'null-date') this.from1904 ||= attribute(attributes, 'date-value') === firstDayOf1904;
    else if (name === 'style') {
      this.#style = attribute(attributes, 'name') ?? '';
      const format = attribute(attributes, 'data-style-name');
      if (format !== undefined && this.#styles.size < mostStyles) this.#styles.set(this.#style, format);
    } else if (name === 'table-properties') {
      if (attribute(attributes, 'display') === 'false') this.#hidden.add(this.#style);
    } else if (name === 'spreadsheet') this.isSpreadsheet = true;
    else if (name === 'table' && parent === 'spreadsheet') {
      const style = attribute(attributes, 'style-name');
      this.#tables.push({ name: attribute(attributes, 'name') ?? '', style, isLinked: false });
    } else if (name === 'table-source' && this.#open.at(-3) === 'spreadsheet') this.#tables.at(-1)!.isLinked = true;
  }

  close(name: string): void {
    this.#open.pop();
    const format = this.#format;
    if (!format || name !== 'number-style') return;
    this.#format = undefined;
    if (format.isPlain && format.fillsUp) this.#addFormat(format.attributes, formatOf(format.code));
  }

  text(text: string): void {
    if (this.#format && this.#open.at(-1) === 'text') {
      this.#format.code += `"${text.slice(0, longestTextChars).replaceAll('"', '')}"`;
    }
  }

  #addFormat(attributes: string, format: NumberFormat): void {
    const name = attribute(attributes, 'name');
    if (name !== undefined && this.#formats.size < mostStyles) this.#formats.set(name, format);
  }

  #openInFormat(format: Format, name: string, attributes: string): void {
    if (name === 'embedded-text' || format.code.length > longestTextChars * mostDigits) format.isPlain = false;
    if (name !== 'number') return;
    const digits = Number(attribute(attributes, 'min-integer-digits') ?? 1);
    const decimals = Number(attribute(attributes, 'decimal-places') ?? 0);
    format.isPlain &&= digits >= 1 && digits <= mostDigits && decimals === 0;
    format.fillsUp ||= digits > 1;
    if (format.isPlain) format.code += '0'.repeat(digits);
  }
}
