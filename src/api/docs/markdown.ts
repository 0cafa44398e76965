/**
 * Renders our own, trusted Markdown, with syntax highlighting, anchors, scrollable tables, and links to names of the contract.
 */
import { Marked, Renderer, type Tokens } from 'marked';
import { contract, contractOperations } from '../../contract/contract.ts';
import { codeBlock, escapeHtml } from './highlight.ts';

export interface Heading {
  id: string;
  html: string;
}

export interface Rendered {
  html: string;
  /** Text of the first heading, which `html` doesn't contain. */
  title: string;
  headings: Heading[];
}

export function renderInline(text: string): string {
  return new Marked().parseInline(text, { async: false });
}

/** Markdown from the contract, without a title. Headings get no anchors, because a page may contain several such texts. */
export function renderBlock(text: string): string {
  return render(text, String).html.replace(/<h(\d) id="[^"]*"><a class="anchor" href="[^"]*">(.*?)<\/a>/g, '<h$1>$2');
}

/**
 * @param text Markdown that starts with a first-level heading
 * @param resolveLink resolves a relative link; undefined renders plain text; throws for a broken link
 */
export function render(text: string, resolveLink: (href: string) => string | undefined): Rendered {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  let title = '';
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const plain = textOf(tokens);
        if (depth === 1) {
          title = plain;
          return '';
        }
        const id = uniqueId(plain, ids);
        const html = this.parser.parseInline(tokens, this.parser.textRenderer);
        if (depth === 2) headings.push({ id, html: escapeHtml(html) });
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`;
      },
      code: ({ text: code, lang = '' }) => codeBlock(code, lang),
      codespan({ text: name }) {
        const href = hrefs.get(name);
        const html = `<code>${escapeHtml(name)}</code>`;
        return href ? `<a href="${href}">${html}</a>` : html;
      },
      link({ href, tokens }) {
        const target = /^(https?:|[#/])/.test(href) ? href : resolveLink(href);
        const html = this.parser.parseInline(tokens);
        if (target === undefined) return html;
        // HTML has no nested links, and names in code would become links.
        return `<a href="${escapeHtml(target)}">${html.replace(/<\/?a\b[^>]*>/g, '')}</a>`;
      },
      table(token: Tokens.Table) {
        // Focusable, so that the keyboard can scroll it.
        return `<div class="table" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { html, title, headings };
}

const hrefs = new Map<string, string>([
  ...contractOperations.map(({ operation }) => [operation.operationId, operationPath(operation)] as const),
  ...Object.keys(contract.webhooks).map((event) => [event, eventPath(event)] as const),
  ...errorCodes().map((code) => [code, `/docs/errors/${code}`] as const),
]);

export function errorCodes(): string[] {
  return contract.components.schemas.ErrorCode!.enum as string[];
}

export function operationPath({ operationId }: { operationId: string }): string {
  return `/docs/operations/${operationId}`;
}

export function eventPath(event: string): string {
  return `/docs/events/${event}`;
}

function textOf(tokens: Tokens.Generic[]): string {
  return tokens.map((token) => (token.tokens ? textOf(token.tokens) : (token.text as string))).join('');
}

function uniqueId(heading: string, counts: Map<string, number>): string {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const count = (counts.get(base) ?? 0) + 1;
  counts.set(base, count);
  return count === 1 ? base : `${base}-${count}`;
}
