// Fails each call of a life of the records in turn: a start over a log, groups with checkpoints between them, and the end. A
// process under the recorder, which counts calls in a file (OCTAVO_CALLS): setting the counter chooses the call that fails.
//
// Each life is checked twice: as it is at the moment of the failure (the process dies), and after it went on as the server does. Both
// must start again, with everything that was acknowledged and nothing that was not sent.
//
// A rewrite of the checksums, which no short life comes to, is tried by itself.
//
//   run as a script: the process, which prints one line of JSON; imported: its start

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JournalReport, KeysetPage, Transfer } from '../../packages/records/src/index.ts';
import { OPERATIONS } from '../../packages/records/src/operations.ts';
import { PageSums, sumsFile } from '../../packages/records/src/store/pages/page-sums.ts';
import { openForReading } from '../../packages/records/src/store/sqlite/connection.ts';
import { PreparedStatements } from '../../packages/records/src/store/sqlite/prepared-statements.ts';
import type { ThreadAnswers } from '../../packages/records/src/store/threads/messages.ts';
import { type OpenWriter, openWriter } from '../../packages/records/src/store/threads/open-writer.ts';
import { RecordsReader } from '../../packages/records/src/store/threads/records-reader.ts';
import { inFolder } from './recorded-server.ts';
import { recorderEnvironment } from './recorder.ts';

/** What a run reports. */
interface RecordsReport {
  /** Of a life from each beginning. */
  readonly calls: number;
  /** Lives in which a call failed. */
  readonly tried: number;
  readonly wrong: readonly string[];
}

/** Which calls fail, and how. */
interface FailingRecordsOptions {
  readonly failErrno: number;
  /** True where all calls behind the first one fail as well. */
  readonly forGood: boolean;
  /** Every how many calls are tried. */
  readonly stride: number;
}

/** Where `OCTAVO_FAIL_AT` lies: no life has so many calls. */
const FAIL_AT = 1_000_000;
const GROUPS = 7;
/** Small, so that a life of a few groups has checkpoints. */
const CHECKPOINT_PAGES = 24;

/** Pages of a file whose sums are rewritten. */
const SUMS = 50_000;

interface Sent {
  readonly reference: string;
  isAcknowledged: boolean;
}

class FailingLives {
  readonly #folder: string;
  readonly #counter: string;
  /** Records whose log no checkpoint has moved, and a directory without any. */
  readonly bases: { readonly left: string; readonly none: string };
  readonly wrong: string[] = [];

  /** `folder`: of the recorder; its `live` is the folder whose calls count. */
  constructor(folder: string, counter: string) {
    this.#folder = folder;
    this.#counter = counter;
    this.bases = { left: join(folder, 'left'), none: join(folder, 'none') };
    mkdirSync(this.bases.none);
  }

  /** Makes the records that most lives begin with: two accounts. */
  async prepare(): Promise<void> {
    const dir = mkdtempSync(join(this.#folder, 'first-'));
    const opened = await openWriter(dir, OPERATIONS);
    await run(opened, 'ledger.createAccount', { id: 'bank', currency: 'EUR', allowNegative: true });
    await run(opened, 'ledger.createAccount', { id: 'ada', currency: 'EUR' });
    cpSync(dir, this.bases.left, { recursive: true });
    opened.end();
  }

  /** Lives once, from `base` on; the call `failAt` fails (0: none). Returns the number of calls. */
  async live(base: string, failAt: number, what: string): Promise<number> {
    const dir = join(this.#folder, 'live');
    const sent: Sent[] = [];
    cpSync(base, dir, { recursive: true });
    this.#count(failAt === 0 ? 0 : FAIL_AT - failAt);
    let opened: OpenWriter | undefined;
    try {
      opened = await openWriter(dir, OPERATIONS, { checkpointPages: CHECKPOINT_PAGES });
      for (let group = 0; group < GROUPS && opened.writer.failure === undefined; group++) {
        const transfer = { reference: `${group} ${'x'.repeat(200 * group)}`, isAcknowledged: false };
        sent.push(transfer);
        const { answers } = await run(opened, 'ledger.transfer', {
          from: 'bank',
          to: 'ada',
          money: '1',
          reference: transfer.reference,
        });
        transfer.isAcknowledged = answers[0]!.thrown === undefined;
        if (opened.writer.failure === undefined) opened.settle();
      }
    } catch {
      // A start that is refused, or a checkpoint that ends the thread.
    }
    const dead = join(this.#folder, 'dead');
    cpSync(dir, dead, { recursive: true });
    try {
      opened?.end();
    } catch (error) {
      this.wrong.push(`${what}: it does not close: ${error}`);
    }
    const calls = this.#counted();
    this.#count(0);
    await this.#check(dead, sent, `${what}, and the process dies`);
    await this.#check(dir, sent, what);
    for (const each of [dir, dead]) rmSync(each, { recursive: true });
    return calls;
  }

  /** Starts twice: the second start sees what the first has moved. */
  async #check(dir: string, sent: readonly Sent[], what: string): Promise<void> {
    try {
      for (let start = 1; start <= 2; start++) {
        const opened = await openWriter(dir, OPERATIONS);
        opened.end();
        const database = openForReading(dir);
        const sql = new PreparedStatements(database);
        const [checked] = sql.all<{ integrity_check: string }>('PRAGMA integrity_check');
        const reader = new RecordsReader(database, OPERATIONS);
        const { answers } = await reader.run([
          { id: 1, name: 'ledger.verify', args: undefined, options: undefined },
          { id: 2, name: 'ledger.listTransfers', args: { limit: 100 }, options: undefined },
        ]);
        database.close();
        if (checked?.integrity_check !== 'ok') throw new Error(String(checked?.integrity_check));
        const [{ findings }, { rows }] = answers.map(({ result }) => result) as [
          JournalReport,
          KeysetPage<Transfer>,
        ];
        if (findings.length > 0) throw new Error(`the journal: ${findings.join(', ')}`);
        const found = new Set(rows.map(({ reference }) => reference));
        for (const { reference, isAcknowledged } of sent)
          if (isAcknowledged && !found.has(reference)) throw new Error(`transfer ${reference[0]} is lost`);
        if (found.size !== rows.length) throw new Error('a transfer was made twice');
      }
    } catch (error) {
      this.wrong.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /**
   * Rewrites a file of checksums, which is due after much history. The call `failAt` fails (0: none), and the sums are taken again, as
   * after a full disk. Returns the number of calls.
   */
  rewriteSums(failAt: number, what: string): number {
    const dir = join(this.#folder, 'live');
    mkdirSync(dir);
    const database = openSync(join(dir, 'database'), 'w+');
    const sums = PageSums.make(dir, database);
    const take = (sum: number): void =>
      sums.take(new Map(Array.from({ length: SUMS }, (_, at) => [at + 1, sum])), SUMS);
    for (let sum = 1; sum <= 4; sum++) take(sum);
    const before = statSync(sumsFile(dir)).size;
    this.#count(failAt === 0 ? 0 : FAIL_AT - failAt);
    try {
      take(5);
    } catch {
      this.#count(0);
      take(6);
    }
    const calls = this.#counted();
    this.#count(0);
    sums.take(new Map([[1, 0xdecade]]), SUMS);
    if (failAt === 0 && statSync(sumsFile(dir)).size > before) this.wrong.push('the sums are not rewritten');
    const last = readFileSync(sumsFile(dir)).subarray(-8);
    if (last.readUInt32LE() !== 1 || last.readUInt32LE(4) !== 0xdecade)
      this.wrong.push(`${what}: sums are written to a file that is gone`);
    if (PageSums.read(dir)?.pages !== SUMS) this.wrong.push(`${what}: sums are lost`);
    sums.close();
    closeSync(database);
    rmSync(dir, { recursive: true });
    return calls;
  }

  #count(value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    writeFileSync(this.#counter, bytes, { flag: 'r+' });
  }

  #counted(): number {
    return Number(readFileSync(this.#counter).readBigInt64LE());
  }
}

async function run({ writer }: OpenWriter, name: string, args: object): Promise<ThreadAnswers> {
  return await writer.run([{ id: 1, name, args, options: undefined }]);
}

/** Runs the process. */
export async function failRecords(
  library: string,
  { failErrno, forGood, stride }: FailingRecordsOptions,
): Promise<RecordsReport> {
  return await inFolder(async (folder) => {
    const [calls, dirs] = [join(folder, 'calls'), join(folder, 'records')];
    writeFileSync(calls, Buffer.alloc(8));
    mkdirSync(dirs);
    const failUntil = forGood ? 2 * FAIL_AT : FAIL_AT;
    const options = { root: join(dirs, 'live'), calls, failAt: FAIL_AT, failUntil, failErrno };
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), dirs, String(stride)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...recorderEnvironment(library, options) },
    });
    let out = '';
    child.stdout.on('data', (text) => (out += text));
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the process that fails calls of the records ended with ${code}`);
    return JSON.parse(out) as RecordsReport;
  });
}

if (import.meta.main) {
  const [folder = '', stride = '1'] = process.argv.slice(2);
  const lives = new FailingLives(folder, process.env['OCTAVO_CALLS'] ?? '');
  await lives.prepare();
  let [calls, tried] = [0, 0];
  for (const [name, base] of Object.entries(lives.bases)) {
    const most = await lives.live(base, 0, `from ${name} on, nothing fails`);
    for (let failAt = 1; failAt <= most; failAt += Number(stride), tried++)
      await lives.live(base, failAt, `from ${name} on, call ${failAt} of ${most}`);
    calls += most;
  }
  const rewriting = lives.rewriteSums(0, 'nothing fails');
  for (let failAt = 1; failAt <= rewriting; failAt++, tried++)
    lives.rewriteSums(failAt, `call ${failAt} of ${rewriting} of a rewrite`);
  process.stdout.write(JSON.stringify({ calls, tried, wrong: lives.wrong } satisfies RecordsReport));
}
