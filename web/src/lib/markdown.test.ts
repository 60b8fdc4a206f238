import { describe, expect, it } from 'vitest';
import { isSafeLink, sections, textOf, type Token, type Tokens } from './markdown';

const tokens = (source: string): Token[] => sections(source).flatMap((section) => section.tokens);

describe('Markdown', () => {
  it('reads lists, tables, code and paragraphs', () => {
    const found = tokens(
      'text *soft* **loud** `x`\nmore\n\n- one\n  on\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```json\n{}\n```\n',
    );
    expect(found.map((token) => token.type)).toEqual(['paragraph', 'list', 'table', 'code']);
    const inline = (found[0] as Tokens.Paragraph).tokens.map((token) => token.type);
    expect(inline).toEqual(['text', 'em', 'text', 'strong', 'text', 'codespan', 'text']);
    expect((found[1] as Tokens.List).items.map((item) => item.text)).toEqual(['one\non', 'two']);
  });

  it('is divided into sections with ids for links', () => {
    const found = sections(
      '# Game\n\nIn short.\n\n## Your turn\n\nLay.\n\n### More\n\n## The end: *8* rounds\n\nOver.\n',
    );
    expect(found.map(({ title, id, tokens }) => [title, id, tokens.length])).toEqual([
      ['', '', 1],
      ['Your turn', 'your-turn', 2],
      ['The end: 8 rounds', 'the-end-8-rounds', 1],
    ]);
  });

  it('makes no link out of a script, and no element out of HTML', () => {
    expect(['/learn', '#end', 'https://example.org'].map(isSafeLink)).toEqual([true, true, true]);
    expect(['javascript:alert(1)', '//elsewhere', 'data:text/html,x', ''].map(isSafeLink)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const [html] = tokens('<img src=x onerror=alert(1)>');
    expect([html?.type, html && textOf(html)]).toEqual(['html', '<img src=x onerror=alert(1)>']);
  });
});
