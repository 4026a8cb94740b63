// Progress on stderr: a bar on a terminal, a line every few seconds elsewhere, nothing with --quiet. stdout
// belongs to the data.

import type { SingleBar } from 'cli-progress';

const LINE_EVERY_MS = 3000;
const FIRST_LINE_MS = 1000;

/** Reports progress. `part` drives the bar if that does not count documents (bytes read, for example). */
export interface Progress {
  update(documents: number, part?: number): void;
  /** Removes the bar. */
  end(): void;
}

interface ProgressOptions {
  readonly label: string;
  /** The end of the bar, in documents or in the unit of `part`; undefined if unknown. */
  readonly total?: number | undefined;
  readonly quiet?: boolean | undefined;
  /** The unit counted: `docs`, `files`. */
  readonly unit?: string;
  readonly stream?: NodeJS.WriteStream;
}

export function startProgress(options: ProgressOptions): Progress {
  const stream = options.stream ?? process.stderr;
  if (options.quiet === true) return { update: () => {}, end: () => {} };
  if (stream.isTTY === true && options.total !== undefined) return bar(options, options.total, stream);
  return lines(options, stream);
}

function bar(options: ProgressOptions, total: number, stream: NodeJS.WriteStream): Progress {
  const unit = options.unit ?? 'docs';
  const started = performance.now();
  let single: SingleBar | undefined;
  let ended = false;
  // Loaded late: most commands have no bar.
  void import('cli-progress').then((bars) => {
    if (ended) return;
    single = new bars.SingleBar({
      format: `${options.label} {bar} {percentage}% | {documents} ${unit} | {speed} ${unit}/s`,
      stream,
      hideCursor: true,
      clearOnComplete: false,
      barsize: 28,
      fps: 8,
    });
    single.start(Math.max(1, total), 0, { documents: '0', speed: '0' });
  });
  return {
    update: (documents, part = documents) =>
      single?.update(Math.min(part, total), {
        documents: formatCount(documents),
        speed: formatCount(perSecond(documents, started)),
      }),
    end: () => {
      ended = true;
      single?.stop();
    },
  };
}

function lines(options: ProgressOptions, stream: NodeJS.WriteStream): Progress {
  const unit = options.unit ?? 'docs';
  const started = performance.now();
  let told = started + FIRST_LINE_MS - LINE_EVERY_MS;
  return {
    update: (documents, part = documents) => {
      const now = performance.now();
      if (now - told < LINE_EVERY_MS) return;
      told = now;
      const share =
        options.total === undefined ? '' : ` (${Math.floor((100 * part) / Math.max(1, options.total))} %)`;
      stream.write(
        `${options.label}: ${formatCount(documents)} ${unit}${share}, ${formatCount(perSecond(documents, started))} ${unit}/s\n`,
      );
    },
    end: () => {},
  };
}

/** Items per second since `started` (a `performance.now()`), rounded. */
export function perSecond(things: number, started: number): number {
  const seconds = (performance.now() - started) / 1000;
  return seconds > 0 ? Math.round(things / seconds) : 0;
}

/** 117659 → `117,659`. */
export function formatCount(n: number, noun?: string): string {
  const text = n.toLocaleString('en-US');
  return noun === undefined ? text : `${text} ${noun}${n === 1 ? '' : 's'}`;
}

/** Seconds since `started`, with one decimal. */
export function elapsedSeconds(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
