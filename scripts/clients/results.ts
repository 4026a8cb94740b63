// Reads what the program of a client prints, and makes the tables of a run from it. A program prints one line of JSON for each
// call: {"call":"search","ok":true}, or {"call":"search","ok":false,"error":"why"}. Other lines are the client's own output.

export interface Call {
  readonly call: string;
  readonly ok: boolean;
  readonly error?: string;
}

export interface Outcome {
  readonly name: string;
  readonly version: string;
  readonly calls: readonly Call[];
}

/** Reasons of the calls that are expected to fail, by client and call. */
export type Expected = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The calls in the output of a program; a call that is made several times works if it works each time. */
export function callsIn(output: string): Call[] {
  const calls = new Map<string, Call>();
  for (const line of output.split('\n')) {
    const call = callOf(line);
    if (call !== undefined && calls.get(call.call)?.ok !== false) calls.set(call.call, call);
  }
  return [...calls.values()];
}

function callOf(line: string): Call | undefined {
  if (!line.startsWith('{"call"')) return undefined;
  const { call, ok, error } = JSON.parse(line) as Partial<Call>;
  if (typeof call !== 'string' || typeof ok !== 'boolean') throw new Error(`not the line of a call: ${line}`);
  return ok ? { call, ok } : { call, ok, error: shortened(String(error)) };
}

/** The first line of an error, of at most 160 characters. */
export function shortened(error: string): string {
  const [line = ''] = error.trim().split('\n');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

/** What a run found that is not as expected: new failures, and expected ones that work now. */
export function surprises(outcomes: readonly Outcome[], expected: Expected): string[] {
  const found: string[] = [];
  for (const { name, calls } of outcomes) {
    const reasons = expected[name] ?? {};
    for (const { call, ok, error } of calls) {
      if (!ok && reasons[call] === undefined) found.push(`${name}: ${call} fails: ${error}`);
      if (ok && reasons[call] !== undefined) found.push(`${name}: ${call} works; it is expected to fail`);
    }
  }
  return found;
}

const working = (calls: readonly Call[]): number => calls.filter(({ ok }) => ok).length;

/** The tables of a run in Markdown: the clients, and the calls that fail. */
export function tablesOf(outcomes: readonly Outcome[], expected: Expected, at: string): string {
  const all = outcomes.flatMap(({ calls }) => calls);
  const rows = outcomes.map(
    ({ name, version, calls }) => `| ${name} | ${version} | ${calls.length} | ${working(calls)} |`,
  );
  const failures = outcomes.flatMap(({ name, calls }) =>
    calls
      .filter(({ ok }) => !ok)
      .map(({ call, error = '' }) => {
        const reason = expected[name]?.[call] ?? error;
        return `| ${name} | ${call} | ${reason.replaceAll('|', '\\|')} |`;
      }),
  );
  const parts = [
    `Run of ${at}: ${working(all)} of ${all.length} calls of ${outcomes.length} clients work.`,
    ['| client | version | calls tried | calls that work |', '| --- | --- | --: | --: |', ...rows].join('\n'),
  ];
  if (failures.length > 0)
    parts.push(['| client | call | why it fails |', '| --- | --- | --- |', ...failures].join('\n'));
  return parts.join('\n\n');
}
