/** Reads an OpenDocument spreadsheet's metadata: its tables, and the styles that make a number a date or pad it with zeros. */
import { attribute, type XmlHandler } from '../xml/xml.ts';
import { xmlText } from '../xml/xml-text.ts';

interface OdsSheet {
  name: string;
  isVisible: boolean;
  /** Index of the table in the document. */
  tableIndex: number;
  /** Its cells are copied from another file. */
  isLinked: boolean;
}

/** A number style while it is parsed. */
interface Format {
  attributes: string;
  xml: string;
  /** Whether it pads with zeros. */
  padsZeros: boolean;
  /** Whether the import supports everything in it. */
  isPlain: boolean;
}

const firstDayOf1904 = '1904-01-01';
/** The exact date format doesn't matter. */
const anyDate = '<year style="long"></year>';
const anyPercentage = '<number min-integer-digits="1"></number><text>%</text>';
const maxDigits = 30;
const maxTextChars = 100;
const maxStyles = 10_000;

/** Handles `styles.xml`, then `content.xml`, each from beginning to end. */
export class OdsBook implements XmlHandler {
  isSpreadsheet = false;
  from1904 = false;
  readonly #tables: { name: string; style: string | undefined; isLinked: boolean }[] = [];
  readonly #hidden = new Set<string>();
  /** Number styles by name, as the xlsx package understands them, without their name. */
  readonly #formats = new Map<string, [tag: string, xml: string]>();
  /** Number styles of cell styles, by name. */
  readonly #styles = new Map<string, string>();
  readonly #open: string[] = [];
  #style = '';
  #format: Format | undefined;

  get sheets(): OdsSheet[] {
    return this.#tables.map(({ name, style, isLinked }, tableIndex) => {
      return { name, isVisible: style === undefined || !this.#hidden.has(style), tableIndex, isLinked };
    });
  }

  /** Maps cell styles that affect a number's meaning to their names in `stylesXml`. */
  styleNames(): Map<string, string> {
    const formats = [...this.#formats.keys()];
    const indexes = new Map(formats.map((format, at) => [format, at]));
    const named = [...this.#styles].filter(([, format]) => indexes.has(format));
    return new Map(named.map(([style, format]) => [style, `c${indexes.get(format)}`]));
  }

  stylesXml(): string {
    const formats = [...this.#formats.values()];
    const numbers = formats.map(([tag, xml], at) => `<${tag} name="n${at}">${xml}</${tag}>`);
    const cells = formats.map((_, at) => `<style name="c${at}" family="table-cell" data-style-name="n${at}"></style>`);
    const days = this.from1904 ? `<null-date date-value="${firstDayOf1904}"/>` : '';
    return `<automatic-styles>${numbers.join('')}${cells.join('')}</automatic-styles>${days}`;
  }

  open(name: string, attributes: string): void {
    const parent = this.#open.at(-1);
    this.#open.push(name);
    if (this.#format) this.#openInFormat(this.#format, name, attributes);
    else if (name === 'number-style') {
      this.#format = { attributes, xml: '', padsZeros: false, isPlain: true };
    } else if (name === 'date-style' || name === 'time-style') this.#addFormat(attributes, 'date-style', anyDate);
    else if (name === 'percentage-style') {
      this.#addFormat(attributes, `number:${name}`, anyPercentage); // the package only knows it with its usual prefix
    } else if (name === 'null-date') this.from1904 ||= attribute(attributes, 'date-value') === firstDayOf1904;
    else if (name === 'style') {
      this.#style = attribute(attributes, 'name') ?? '';
      const format = attribute(attributes, 'data-style-name');
      if (format !== undefined && this.#styles.size < maxStyles) this.#styles.set(this.#style, format);
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
    if (format.isPlain && format.padsZeros) this.#addFormat(format.attributes, 'number-style', format.xml);
  }

  text(text: string): void {
    if (this.#format && this.#open.at(-1) === 'text') {
      this.#format.xml += `<text>${xmlText(text.slice(0, maxTextChars))}</text>`;
    }
  }

  #addFormat(attributes: string, tag: string, xml: string): void {
    const name = attribute(attributes, 'name');
    if (name !== undefined && this.#formats.size < maxStyles) this.#formats.set(name, [tag, xml]);
  }

  #openInFormat(format: Format, name: string, attributes: string): void {
    if (name === 'embedded-text' || format.xml.length > maxTextChars * maxDigits) format.isPlain = false;
    if (name !== 'number') return;
    const digits = Number(attribute(attributes, 'min-integer-digits') ?? 1);
    const decimals = Number(attribute(attributes, 'decimal-places') ?? 0);
    format.isPlain &&= digits >= 1 && digits <= maxDigits && decimals === 0;
    format.padsZeros ||= digits > 1;
    format.xml += `<number min-integer-digits="${digits}"></number>`;
  }
}
