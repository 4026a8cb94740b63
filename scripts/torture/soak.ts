// `npm run soak`: mixed work for minutes under a memory limit. Memory, descriptors and threads of the server return at the end to
// what they were after the first minute. Prints both, and draws the course as an SVG. Exit code 1 where they do not return.
//
//   npm run soak                                        five minutes
//   npm run soak -- --minutes 60 --memory 1g --plot soak.svg
//
// The work writes over the same few thousand documents again and again, searches, scrolls, pages through feeds and moves money, so
// that what is held stays the same while everything that can leak is used.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Dice } from '../../packages/server/test/mutations.ts';
import { History } from './history.ts';
import { Life, type Target } from './life.ts';
import { inFolder, startRecorded } from './recorded-server.ts';

/** The server at one moment. */
interface Sample {
  readonly seconds: number;
  readonly megabytes: number;
  readonly descriptors: number;
  readonly threads: number;
}

interface SoakReport {
  readonly samples: readonly Sample[];
  readonly baseline: Sample;
  readonly end: Sample;
  /** One line for each figure that did not return; empty where all did. */
  readonly grown: readonly string[];
}

const CLIENTS = 8;
/** At rest memory is looked at after a while: what was written is merged, and garbage is collected. */
const REST_MS = 10_000;

/** Works for `minutes`; the first minute, or a fifth of a shorter soak, is the baseline. */
async function soak(minutes: number, memory: string): Promise<SoakReport> {
  return await inFolder(async (folder) => {
    const server = await startRecorded(`${folder}/data`, undefined, undefined, ['--memory', memory]);
    if (!('url' in server)) throw new Error(`the server does not start: ${server.stderr}`);
    const started = performance.now();
    const samples: Sample[] = [];
    const look = (): Sample => {
      const sample = sampleOf(server.child.pid!, (performance.now() - started) / 1000);
      samples.push(sample);
      return sample;
    };
    const timer = setInterval(look, 1_000);
    try {
      const target: Target = { url: server.url, key: undefined };
      const dice = new Dice(1);
      await new Life(new History(), target, dice).begin();
      const warm = Math.min(60_000, minutes * 12_000);
      await work(target, dice, warm);
      await sleep(REST_MS);
      const baseline = look();
      await work(target, dice, minutes * 60_000 - warm);
      await sleep(REST_MS);
      const end = look();
      return { samples, baseline, end, grown: grownBetween(baseline, end) };
    } finally {
      clearInterval(timer);
      await server.end();
    }
  });
}

/** Mixed work of several clients for a time. */
async function work(target: Target, dice: Dice, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  // A history of its own for each stretch: it would be all that grows.
  while (performance.now() < until) {
    const life = new Life(new History(), target, dice);
    await Promise.all([life.run({ rounds: 50, clients: CLIENTS }), readSome(target, dice)]);
    if (life.isOver) throw new Error('the server has ended');
  }
}

async function readSome({ url }: Target, dice: Dice): Promise<void> {
  const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const reply = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await reply.json()) as Record<string, unknown>;
  };
  for (let n = 0; n < 20; n++) {
    await ask('/a,b/_search', { query: { match: { text: 'cursor' } }, from: dice.below(100), size: 20 });
    await ask('/a/_search', { sort: [{ n: 'desc' }], from: dice.below(100), size: 50 });
    const scroll = await ask('/b/_search?scroll=10s', { size: 10, sort: [{ n: 'asc' }] });
    await ask('/_search/scroll', { scroll: '10s', scroll_id: scroll['_scroll_id'] });
    await ask('/api/newsfeed?limit=50');
    await ask('/api/transactions?limit=50');
  }
}

function sampleOf(pid: number, seconds: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  return {
    seconds,
    megabytes: Math.round(kilobytes / 1024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1] ?? 0),
  };
}

/** Room for what differs from moment to moment: open connections, a segment more, garbage that waits. */
function grownBetween(before: Sample, after: Sample): string[] {
  const grown: string[] = [];
  const check = (name: 'megabytes' | 'descriptors' | 'threads', room: number): void => {
    if (after[name] > before[name] + room)
      grown.push(`${name}: ${before[name]} after the first minute, ${after[name]} at the end`);
  };
  check('megabytes', Math.max(64, before.megabytes * 0.2));
  check('descriptors', 16);
  check('threads', 2);
  return grown;
}

/** Memory and descriptors over time. */
function soakPlot({ samples }: SoakReport): string {
  const [width, height, left] = [720, 200, 60];
  const end = Math.max(1, samples.at(-1)?.seconds ?? 1);
  const curve = (name: 'megabytes' | 'descriptors', top: number): string => {
    const most = Math.max(1, ...samples.map((sample) => sample[name]));
    const points = samples.map((sample) => {
      const x = left + (sample.seconds / end) * (width - left - 10);
      return `${x.toFixed(1)},${(top + height - 30 - (sample[name] / most) * (height - 60)).toFixed(1)}`;
    });
    return (
      `<text x="8" y="${top + 20}">${name}, at most ${most}</text>` +
      `<polyline fill="none" stroke="#1a7f64" stroke-width="1.5" points="${points.join(' ')}"/>`
    );
  };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${2 * height}" role="img" aria-label="Memory and descriptors of the server over ${Math.round(end)} seconds">\n` +
    `<style>text { font: 12px system-ui, sans-serif; fill: #59636e }</style>\n${curve('megabytes', 0)}\n${curve('descriptors', height)}\n` +
    `<text x="${width - 60}" y="${2 * height - 8}">${Math.round(end)} s</text>\n</svg>\n`
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      memory: { type: 'string', default: '512m' },
      plot: { type: 'string', default: 'soak.svg' },
    },
  });
  if (process.platform !== 'linux') {
    process.stdout.write('The soak reads /proc, which only Linux has: left out.\n');
    process.exit(0);
  }
  process.stdout.write(`Working for ${values.minutes} minutes under --memory ${values.memory}.\n`);
  const report = await soak(Number(values.minutes), values.memory);
  writeFileSync(values.plot, soakPlot(report));
  const show = ({ megabytes, descriptors, threads }: Sample): string =>
    `${megabytes} MB, ${descriptors} descriptors, ${threads} threads`;
  process.stdout.write(
    `after the first minute: ${show(report.baseline)}\nat the end:             ${show(report.end)}\n` +
      (report.grown.length === 0 ? 'All returned.' : `Grown:\n${report.grown.join('\n')}`) +
      `\nThe course is in ${values.plot}.\n`,
  );
  process.exit(report.grown.length === 0 ? 0 : 1);
}
