// Does the caller take what this endpoint gives? Reads `Accept` (RFC 9110, 12.5.1): media ranges, `q=0` excludes.

/** True where one of the produced media types is acceptable. Quality values only matter when they are zero. */
export function accepts(header: string | undefined, produced: readonly string[]): boolean {
  if (header === undefined || header.trim() === '' || header.trim() === '*/*') return true;
  const ranges = header.split(',').map(rangeOf);
  return produced.some((type) => qualityOf(type, ranges) > 0);
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return { type, quality: Number.isNaN(quality) ? 1 : quality };
}

/** The most specific range that matches decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const major = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const wanted of [type, major, '*/*']) {
    const found = ranges.find((range) => range.type === wanted);
    if (found !== undefined) return found.quality;
  }
  return 0;
}
