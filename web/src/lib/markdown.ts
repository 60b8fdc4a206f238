/**
 * The little of Markdown that our rules use, read into plain data. Nothing here makes HTML, so nothing that a text says
 * can become a script: the page draws the blocks itself.
 */
export type Inline =
  { kind: 'text' | 'code' | 'strong' | 'em'; text: string } | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'heading'; level: number; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string; language: string };

/** A part of a text under a heading of the second level; the first has no title. */
export interface Section {
  title: string;
  /** How a link leads to it. */
  id: string;
  blocks: Block[];
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|_([^_\s][^_]*)_(?!\w)|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function inline(text: string): Inline[] {
  const found: Inline[] = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > last) found.push({ kind: 'text', text: text.slice(last, match.index) });
    const [whole, code, strong, star, under, label, href] = match;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (strong !== undefined) found.push({ kind: 'strong', text: strong });
    else if (label !== undefined && href !== undefined && /^(https?:\/\/|\/(?!\/)|#)/.test(href)) {
      found.push({ kind: 'link', text: label, href });
    } else if (label !== undefined) found.push({ kind: 'text', text: label });
    else found.push({ kind: 'em', text: star ?? under ?? whole });
    last = match.index + whole.length;
  }
  if (last < text.length) found.push({ kind: 'text', text: text.slice(last) });
  return found;
}

const cells = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => inline(cell.trim()));

export function markdown(source: string): Block[] {
  const lines = source.replace(/\r/g, '').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const line = () => lines[at] ?? '';
  while (at < lines.length) {
    const heading = /^(#{1,6})\s+(.*)$/.exec(line());
    const fence = /^```\s*(\w*)/.exec(line());
    const item = /^(\s*)([-*]|\d+\.)\s+(.*)$/.exec(line());
    if (!line().trim()) at++;
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: inline(heading[2] ?? '') });
      at++;
    } else if (fence) {
      const text: string[] = [];
      for (at++; at < lines.length && !line().startsWith('```'); at++) text.push(line());
      at++;
      blocks.push({ kind: 'code', text: text.join('\n'), language: fence[1] ?? '' });
    } else if (line().startsWith('|') && /^\|[\s:|-]+\|?\s*$/.test(lines[at + 1] ?? '')) {
      const head = cells(line());
      const rows: Inline[][][] = [];
      for (at += 2; line().startsWith('|'); at++) rows.push(cells(line()));
      blocks.push({ kind: 'table', head, rows });
    } else if (item) {
      const ordered = /\d/.test(item[2] ?? '');
      const items: string[] = [];
      while (at < lines.length && line().trim()) {
        const next = /^\s*([-*]|\d+\.)\s+(.*)$/.exec(line());
        if (next) items.push(next[2] ?? '');
        else items.push(`${items.pop() ?? ''} ${line().trim()}`);
        at++;
      }
      blocks.push({ kind: 'list', ordered, items: items.map(inline) });
    } else {
      const text: string[] = [];
      while (at < lines.length && line().trim() && !/^(#{1,6}\s|```|\||\s*([-*]|\d+\.)\s)/.test(line())) {
        text.push(line().trim());
        at++;
      }
      if (!text.length) text.push(lines[at++]?.trim() ?? '');
      blocks.push({ kind: 'paragraph', text: inline(text.join(' ')) });
    }
  }
  return blocks;
}

const plain = (text: readonly Inline[]): string => text.map((part) => part.text).join('');

/** A text by its headings of the second level; its own title is left out. */
export function sections(source: string): Section[] {
  const found: Section[] = [{ title: '', id: '', blocks: [] }];
  for (const block of markdown(source)) {
    if (block.kind === 'heading' && block.level === 1) continue;
    if (block.kind === 'heading' && block.level === 2) {
      const title = plain(block.text);
      const id = title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
      found.push({ title, id, blocks: [] });
    } else found.at(-1)?.blocks.push(block);
  }
  return found.filter((section) => section.title || section.blocks.length);
}
