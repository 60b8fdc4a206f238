import { describe, expect, it } from 'vitest';
import { inline, markdown, sections } from './markdown';

describe('Markdown', () => {
  it('reads headings, lists, tables, code and paragraphs', () => {
    const blocks = markdown(
      '# A\n\ntext *soft* **loud** `x`\nmore\n\n- one\n  on\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```json\n{}\n```\n',
    );
    expect(blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'list', 'table', 'code']);
    expect(blocks[2]).toMatchObject({ ordered: false, items: [[{ text: 'one on' }], [{ text: 'two' }]] });
  });

  it('falls into sections with links to them', () => {
    const found = sections(
      '# Game\n\nIn short.\n\n## Your turn\n\nLay.\n\n### More\n\n## The end: 8 rounds\n\nOver.\n',
    );
    expect(found.map(({ title, id, blocks }) => [title, id, blocks.length])).toEqual([
      ['', '', 1],
      ['Your turn', 'your-turn', 2],
      ['The end: 8 rounds', 'the-end-8-rounds', 1],
    ]);
  });

  it('makes no link out of a script', () => {
    expect(inline('[x](javascript:alert(1))')[0]?.kind).toBe('text');
    expect(inline('[x](/learn)')).toEqual([{ kind: 'link', text: 'x', href: '/learn' }]);
    expect(inline('[x](//elsewhere)')[0]?.kind).toBe('text');
  });

  it('always ends', () => {
    for (const odd of ['|', '| a', '```', '#', '- ', '1.', '|a|\n|b|', '* * *'])
      expect(markdown(odd)).toBeInstanceOf(Array);
  });
});
