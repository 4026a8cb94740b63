// JSON with exact integers. JSON.parse rounds 9007199254740993. Here an integer beyond ±(2^53 - 1) is read as
// a bigint, and a bigint is written as an integer. All other numbers are numbers.

/**
 * Parses JSON; integers (no fraction, no exponent) beyond ±(2^53 - 1) become bigint. Throws SyntaxError. O(n). A text
 * without a run of 16 digits costs the same as JSON.parse.
 */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const mark = markFor(text);
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    parts.push(
      text
        .slice(at, end)
        .replace(/-?\d[\d.eE+-]*/g, (number) => (isLarge(number) ? `"${mark}${number}"` : number)),
    );
    at = quote === -1 ? end : stringEnd(text, quote);
    parts.push(text.slice(end, at));
  }
  return JSON.parse(parts.join(''), (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** JSON of a value; bigints are written as integers, exactly. O(n). */
export function toJson(value: unknown): string {
  let hasBigint = false;
  const plain = JSON.stringify(value, (_name, part: unknown) => {
    hasBigint ||= typeof part === 'bigint';
    return typeof part === 'bigint' ? part.toString() : part;
  });
  if (!hasBigint) return plain;
  const mark = markFor(plain);
  const marked = JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'bigint' ? mark + part : part,
  );
  const [start = '', ...rest] = marked.split(`"${mark}`);
  return start + rest.map((part) => part.replace('"', '')).join('');
}

/** True for the JSON text of an integer that a double cannot hold. */
function isLarge(number: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(number) && !Number.isSafeInteger(Number(number));
}

/** The position behind the string that opens at `quote`; the end of the text if the string never closes. */
function stringEnd(text: string, quote: number): number {
  for (let at = quote + 1; ; at++) {
    const next = text.indexOf('"', at);
    if (next === -1) return text.length;
    let slashes = 0;
    while (text[next - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return next + 1;
    at = next;
  }
}

/** A prefix that does not occur in the text. It marks large integers on their way through JSON. */
function markFor(text: string): string {
  let mark = 'integer:';
  while (text.includes(mark)) mark = `integer${Math.random().toString(36).slice(2)}:`;
  return mark;
}
