/**
 * Markdown as a tree of tokens, which ui/MarkdownView.svelte draws. Neither makes HTML out of a text, so no text can become a
 * script. The parser is large: only the Learn page imports this module.
 */
import { lexer, type Token } from 'marked';
import { headingId } from './headingId';

export type { Token, Tokens } from 'marked';

/** A part of a text below a heading of the second level; the first part has no title. */
export interface Section {
  title: string;
  /** The id for links to it. */
  id: string;
  tokens: Token[];
}

/** A text by its headings of the second level, without the title of the whole text. */
export function sections(source: string): Section[] {
  const found: Section[] = [{ title: '', id: '', tokens: [] }];
  for (const token of lexer(source)) {
    if (token.type === 'space' || (token.type === 'heading' && token.depth === 1)) continue;
    if (token.type === 'heading' && token.depth === 2) {
      const title = plainText(token.tokens ?? []);
      found.push({ title, id: headingId(title), tokens: [] });
    } else found.at(-1)?.tokens.push(token);
  }
  return found.filter((section) => section.title || section.tokens.length);
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : textOf(token))).join('');
}

/** The text of a token without its marks; HTML stays as it is written. */
export const textOf = (token: Token): string => ('text' in token ? String(token.text) : token.raw);

/** Links lead to the web or to our own pages; anything else, such as a script, is no link. */
export const isSafeLink = (href: string): boolean => /^(https?:\/\/|\/(?!\/)|#)/.test(href);
