/**
 * What an OpenDocument spreadsheet says beside its cells: which tables it has, and which styles make of a number a date, or
 * fill it up with zeros.
 */
import { attribute, type XmlHandler } from '../xml/xml.ts';
import { xmlText } from '../xml/xml-text.ts';

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
  xml: string;
  /** Whether it writes zeros in front. */
  fillsUp: boolean;
  /** Whether it does nothing that the import could not follow. */
  isPlain: boolean;
}

const firstDayOf1904 = '1904-01-01';
/** How the date looks does not matter. */
const anyDate = '<year style="long"></year>';
const anyPercentage = '<number min-integer-digits="1"></number><text>%</text>';
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
  /** Styles for numbers, by name: as the package understands them, with their name left out. */
  readonly #formats = new Map<string, [tag: string, xml: string]>();
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

  /** For styles of cells that change what a number means, how `stylesXml` names them. */
  styleNames(): Map<string, string> {
    const formats = [...this.#formats.keys()];
    const places = new Map(formats.map((format, at) => [format, at]));
    const named = [...this.#styles].filter(([, format]) => places.has(format));
    return new Map(named.map(([style, format]) => [style, `c${places.get(format)}`]));
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
      this.#format = { attributes, xml: '', fillsUp: false, isPlain: true };
    } else if (name === 'date-style' || name === 'time-style') this.#addFormat(attributes, 'date-style', anyDate);
    else if (name === 'percentage-style') {
      this.#addFormat(attributes, `number:${name}`, anyPercentage); // the package knows it by its usual prefix only
    } else if (name === 'null-date') this.from1904 ||= attribute(attributes, 'date-value') === firstDayOf1904;
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
    if (format.isPlain && format.fillsUp) this.#addFormat(format.attributes, 'number-style', format.xml);
  }

  text(text: string): void {
    if (this.#format && this.#open.at(-1) === 'text') {
      this.#format.xml += `<text>${xmlText(text.slice(0, longestTextChars))}</text>`;
    }
  }

  #addFormat(attributes: string, tag: string, xml: string): void {
    const name = attribute(attributes, 'name');
    if (name !== undefined && this.#formats.size < mostStyles) this.#formats.set(name, [tag, xml]);
  }

  #openInFormat(format: Format, name: string, attributes: string): void {
    if (name === 'embedded-text' || format.xml.length > longestTextChars * mostDigits) format.isPlain = false;
    if (name !== 'number') return;
    const digits = Number(attribute(attributes, 'min-integer-digits') ?? 1);
    const decimals = Number(attribute(attributes, 'decimal-places') ?? 0);
    format.isPlain &&= digits >= 1 && digits <= mostDigits && decimals === 0;
    format.fillsUp ||= digits > 1;
    format.xml += `<number min-integer-digits="${digits}"></number>`;
  }
}
