/** Extracts sentences by file type: Markdown, contract, messages, and command sources. */

interface Sentence {
  /** First line of the paragraph, starting at 1. */
  line: number;
  text: string;
}

/** @param path from the repository root */
export function sentencesOf(path: string, content: string): Sentence[] {
  return paragraphsOf(path, content).flatMap(({ line, text }) =>
    plain(text)
      .split(/(?<=[.!?:;])\s+|\s*\|\s*/)
      .filter((sentence) => sentence !== '')
      .map((sentence) => ({ line, text: sentence })),
  );
}

function paragraphsOf(path: string, content: string): Sentence[] {
  if (path.endsWith('.md')) return ofMarkdown(content);
  if (/\.ya?ml$/.test(path)) return ofContract(content);
  if (path.endsWith('.po')) return ofMessages(content);
  return ofCommands(content);
}

/** Strips link targets and emphasis; treats code and quoted “names” of tests as names. */
function plain(text: string): string {
  return text
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/`[^`]*`|“[^”]*”/g, 'X')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/[*_[\]]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Paragraphs, list items, headings, and table rows, without code blocks and comments. */
function ofMarkdown(content: string): Sentence[] {
  const text = content.replaceAll(/^([ \t]*)```[\s\S]*?^\1```$|<!--[\s\S]*?-->/gm, (block) =>
    block.replaceAll(/[^\n]/g, ''),
  );
  return joined(text.split('\n'), (line) => /^\s*(?:[-*+]|\d+\.|#+|>|\|)\s?/.test(line));
}

/** Joins the lines of a paragraph. @param begins whether a line starts a new paragraph */
function joined(lines: readonly string[], begins: (line: string) => boolean): Sentence[] {
  const found: Sentence[] = [];
  let open = false;
  for (const [index, line] of lines.entries()) {
    const text = line.replace(/^\s*(?:(?:[-*+]|\d+\.|#+|>)\s+)?/, '');
    if (text === '') open = false;
    else if (open && !begins(line)) found.at(-1)!.text += ` ${text}`;
    else {
      found.push({ line: index + 1, text });
      open = true;
    }
  }
  return found;
}

function ofContract(content: string): Sentence[] {
  const lines = content.split('\n');
  let depth = -1;
  const texts = lines.map((line) => {
    const indent = line.search(/\S/);
    if (depth >= 0 && (indent > depth || indent < 0)) return line.trim();
    const [, key, value = ''] = /^\s*(?:- )?(summary|description|x-summary):\s*(.*)$/.exec(line) ?? [];
    depth = key ? line.indexOf(key) : -1;
    return /^[|>]/.test(value) ? '' : value.replaceAll(/^["']|["']$/g, '');
  });
  return joined(texts, (line) => /^(?:[-*]|\d+\.|#+|\|)\s/.test(line));
}

/** English messages of pages, emails, errors, and the console: the message ids of a gettext file. */
function ofMessages(content: string): Sentence[] {
  const found = content.matchAll(/^msgid(?:_plural)? ((?:".*"\n?)+)/gm);
  return [...found].map(({ 1: quoted, index }) => ({
    line: content.slice(0, index).split('\n').length,
    text: [...quoted!.matchAll(/"(.*)"/g)]
      .map(([, part]) => part!.replaceAll('\\"', '"').replaceAll('\\n', ' '))
      .join(''),
  }));
}

/** Strings of at least three words. */
function ofCommands(content: string): Sentence[] {
  const code = content.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ''));
  const found = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g);
  return [...found].flatMap(({ 1: quoted, 2: template, index }) => {
    const text = (quoted ?? template!).replaceAll(/\$\{[^}]*\}/g, 'X').replaceAll('\\', '');
    return text.trim().split(/\s+/).length < 3 ? [] : [{ line: code.slice(0, index).split('\n').length, text }];
  });
}
