// Cuts a stream of chunks into lines, a batch of lines per chunk, as bytes: documents are never decoded and
// encoded again.

import { Failure } from '../failure.ts';

/** The server accepts no larger body. */
export const LONGEST_LINE: number = 100 * 1024 * 1024;

/** A line without its end (`\n` or `\r\n`), and its number in the file, counted from 1. */
interface TextLine {
  readonly number: number;
  readonly bytes: Buffer;
}

/** Lines of a stream. Blank lines are skipped but counted. */
export async function* lineBatches(chunks: AsyncIterable<Buffer>): AsyncGenerator<TextLine[]> {
  let rest: Buffer[] = [];
  let restLength = 0;
  let number = 0;
  for await (const chunk of chunks) {
    const lines: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const tail = chunk.subarray(start, end);
      const whole = rest.length === 0 ? tail : Buffer.concat([...rest, tail]);
      rest = [];
      restLength = 0;
      start = end + 1;
      add(lines, ++number, whole);
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start));
      restLength += chunk.length - start;
      if (restLength > LONGEST_LINE) throw new Failure(`Line ${number + 1} is longer than 100 MB.`);
    }
    if (lines.length > 0) yield lines;
  }
  const lines: TextLine[] = [];
  if (rest.length > 0) add(lines, ++number, Buffer.concat(rest));
  if (lines.length > 0) yield lines;
}

function add(lines: TextLine[], number: number, bytes: Buffer): void {
  const end = bytes.length > 0 && bytes[bytes.length - 1] === 13 ? bytes.length - 1 : bytes.length;
  const line = bytes.subarray(0, end);
  if (!isBlank(line)) lines.push({ number, bytes: line });
}

function isBlank(line: Buffer): boolean {
  for (const byte of line) if (byte !== 32 && byte !== 9) return false;
  return true;
}
