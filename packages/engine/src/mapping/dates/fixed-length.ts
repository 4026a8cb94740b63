// Lengths of time as requests name them: `90m`, `10d`.

const FIXED: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
  ...{ nanos: 1e-6, micros: 1e-3, H: 3_600_000, w: 604_800_000 },
};

/** A length as in `90m`, in ms; undefined where the text is none. */
export function fixedLength(text: string): number | undefined {
  const match = /^\s*([+-]?\d{1,15})(nanos|micros|ms|[smhHdw])\s*$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * FIXED[match[2]!]!;
}
