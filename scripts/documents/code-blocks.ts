// Reads the code blocks of a Markdown page, with the marks that say how the tests treat them:
//
//   ```sh                          commands, run by bash
//   ```ts [feed.ts]                a file that is saved under this name
//   <!-- not run: the reason -->   the next block is not run
//   <!-- needs: go -->              the next block is run only where this program is installed
//   <!-- in the background -->     the next block starts a server, which runs until the page ends
//   <!-- printed -->               the next block is what the block before it prints; … stands for anything

export interface CodeBlock {
  readonly language: string;
  /** The name under which the block is saved. */
  readonly file: string | undefined;
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly mark: Mark | undefined;
}

export type Mark =
  | { readonly kind: 'not run'; readonly reason: string }
  | { readonly kind: 'needs'; readonly program: string }
  | { readonly kind: 'in the background' }
  | { readonly kind: 'printed' };

export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split('\n');
  let mark: Mark | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, indent = '', language = '', file] = /^( *)```(\w*)(?: \[([\w./-]+)\])?$/.exec(line) ?? [];
    if (!line.trimStart().startsWith('```')) {
      if (line.trim() !== '') mark = markOf(line);
      continue;
    }
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end === -1) throw new Error(`line ${at + 1}: the block has no end`);
    const code = lines
      .slice(at + 1, end)
      .map((text) => (text.startsWith(indent) ? text.slice(indent.length) : text))
      .join('\n');
    blocks.push({ language, file, code: `${code}\n`, line: at + 1, mark });
    mark = undefined;
    at = end;
  }
  return blocks;
}

function markOf(line: string): Mark | undefined {
  const words = /^ *<!-- (.*) -->$/.exec(line)?.[1];
  if (words === 'in the background' || words === 'printed') return { kind: words };
  if (words?.startsWith('needs: ')) return { kind: 'needs', program: words.slice('needs: '.length) };
  const reason = words?.startsWith('not run: ') ? words.slice('not run: '.length).trim() : '';
  return reason === '' ? undefined : { kind: 'not run', reason };
}

/** The lines with indented code, which has no language and no marks. */
export function indentedCode(markdown: string): number[] {
  const found: number[] = [];
  let fenced = false;
  const lines = markdown.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.trimStart().startsWith('```')) fenced = !fenced;
    else if (!fenced && /^ {4,}\S/.test(line) && (lines[at - 1] ?? '').trim() === '') found.push(at + 1);
  }
  return found;
}
