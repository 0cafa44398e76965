/** Text of a cell: paragraphs become lines, and white space collapses unless an element sets it (ODF 1.3, part 3, 6.1). */
import { attribute } from '../xml/xml.ts';

export class OdsText {
  text = '';
  #isInParagraph = false;
  #hasParagraph = false;
  /** Whether further white space collapses. */
  #isSpaced = true;

  openParagraph(): void {
    if (this.#hasParagraph) this.text += '\n';
    this.#isInParagraph = true;
    this.#hasParagraph = true;
    this.#isSpaced = true;
  }

  closeParagraph(): void {
    if (this.#isSpaced && this.text.endsWith(' ')) this.text = this.text.slice(0, -1);
    this.#isInParagraph = false;
    this.#isSpaced = true;
  }

  add(text: string): void {
    if (!this.#isInParagraph) return;
    const spaced = text.replace(/[ \t\r\n]+/g, ' ');
    const added = this.#isSpaced && spaced.startsWith(' ') ? spaced.slice(1) : spaced;
    if (added === '') return;
    this.text += added;
    this.#isSpaced = added.endsWith(' ');
  }

  /** An element within a paragraph. @param most the cell limit in characters: one element can expand to any number */
  addElement(name: string, attributes: string, most: number): void {
    if (!this.#isInParagraph) return;
    if (name === 's') this.text += ' '.repeat(Math.min(Number(attribute(attributes, 'c') ?? 1) || 0, most + 1));
    else if (name === 'tab') this.text += '\t';
    else if (name === 'line-break') this.text += '\n';
    else return;
    this.#isSpaced = false;
  }
}
