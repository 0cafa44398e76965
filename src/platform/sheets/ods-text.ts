/**
 * The text of a cell in an OpenDocument spreadsheet: paragraphs are lines, and white space is one space however much of it
 * there is, unless an element says how much (ODF 1.3, part 3, 6.1).
 */
import { attribute } from './xml.ts';

/** Paragraphs and white space of one cell, and what is written in them. */
export class OdsText {
  text = '';
  #is_in_paragraph = false;
  #has_paragraph = false;
  /** Whether the last character is white space of which there is enough. */
  #is_spaced = true;

  openParagraph(): void {
    if (this.#has_paragraph) this.text += '\n';
    this.#is_in_paragraph = true;
    this.#has_paragraph = true;
    this.#is_spaced = true;
  }

  closeParagraph(): void {
    if (this.#is_spaced && this.text.endsWith(' ')) this.text = this.text.slice(0, -1);
    this.#is_in_paragraph = false;
    this.#is_spaced = true;
  }

  add(text: string): void {
    if (!this.#is_in_paragraph) return;
    const spaced = text.replace(/[ \t\r\n]+/g, ' ');
    const added = this.#is_spaced && spaced.startsWith(' ') ? spaced.slice(1) : spaced;
    if (added === '') return;
    this.text += added;
    this.#is_spaced = added.endsWith(' ');
  }

  /**
   * An element within a paragraph.
   * @param most characters that a cell may have: one element can ask for any number of spaces
   */
  addElement(name: string, attributes: string, most: number): void {
    if (!this.#is_in_paragraph) return;
    if (name === 's') this.text += ' '.repeat(Math.min(Number(attribute(attributes, 'c') ?? 1) || 0, most + 1));
    else if (name === 'tab') this.text += '\t';
    else if (name === 'line-break') this.text += '\n';
    else return;
    this.#is_spaced = false;
  }
}
