// What of numbers that a double cannot hold? JSON.parse rounds 9007199254740993. Here an integer beyond ±2^53 is read
// as a bigint and a bigint is written as an integer; all other numbers are numbers.

/**
 * Parses JSON; integers (no fraction, no exponent) beyond ±(2^53 - 1) become bigint. Throws SyntaxError. O(n); texts
 * without a run of 16 digits cost what JSON.parse costs.
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
  let held = false;
  const plain = JSON.stringify(value, (_name, part: unknown) => {
    held ||= typeof part === 'bigint';
    return typeof part === 'bigint' ? part.toString() : part;
  });
  if (!held) return plain;
  const mark = markFor(plain);
  const marked = JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'bigint' ? mark + part : part,
  );
  const [start = '', ...rest] = marked.split(`"${mark}`);
  return start + rest.map((part) => part.replace('"', '')).join('');
}

/** An integer as JSON writes it that no double is. */
function isLarge(number: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(number) && !Number.isSafeInteger(Number(number));
}

/** Behind the closing quote of the string that opens at `quote`; the end of the text if it never closes. */
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

/** A word that the text does not have. */
function markFor(text: string): string {
  let mark = 'integer:';
  while (text.includes(mark)) mark = `integer${Math.random().toString(36).slice(2)}:`;
  return mark;
}
