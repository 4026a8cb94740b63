// What runs in the threads of the store? One that writes and one that reads, each a loop: take all that waits, run it, post
// the answers as one message.

import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { pack } from './contracts/failures.ts';
import type { AnyOperation } from './contracts/operation.ts';
import { Lists } from './ledger/sqlite/journal-index.ts';
import { JournalReader } from './ledger/sqlite/journal-reader.ts';
import { OPERATIONS } from './operations.ts';
import { migrate } from './schema/migrate.ts';
import { RecordsFile } from './store/pages/records-file.ts';
import { openForReading } from './store/sqlite/connection.ts';
import { lazyKysely } from './store/sqlite/dialect.ts';
import { lockRecords } from './store/sqlite/lock.ts';
import { checkAtStartup } from './store/sqlite/startup-check.ts';
import { PreparedStatements } from './store/sqlite/statements.ts';
import { commitsOf, embeddedState, ensureIdentity } from './store/state.ts';
import { answerRuns, type CallRun, MOST_IN_GROUP } from './store/threads/crossing.ts';
import type { Answers, FromThread, OpenOrder, ThreadData, ToThread } from './store/threads/messages.ts';
import { Reader } from './store/threads/reader.ts';
import { Writer } from './store/threads/writer.ts';

interface Runner {
  run(runs: readonly CallRun[]): Promise<Answers>;
}

interface Upkeep {
  /** Called between two groups. */
  readonly settle?: () => void;
  readonly end: () => void;
}

/** Pages that are compared with their sums at once, and how often: a gigabyte takes an hour, 0.2 ms of each second. */
const CHECK_PAGES = 64;
const CHECK_EVERY_MS = 1_000;

/** Until it is told to, the thread opens nothing. Undefined when it is not wanted after all. */
function told(port: MessagePort): Promise<OpenOrder | undefined> {
  return new Promise((resolve) => {
    port.once('message', (message: ToThread) => resolve(isOrder(message) ? message : undefined));
  });
}

function isOrder(message: ToThread): message is OpenOrder {
  return typeof message === 'object' && 'kind' in message;
}

async function serve(port: MessagePort, data: ThreadData): Promise<void> {
  const order = await told(port);
  if (order === undefined) return port.close();
  const post = (message: FromThread): void => port.postMessage(message);
  try {
    const operations = await operationsWith(data.extra);
    if (data.role === 'reader') {
      const database = openForReading(data.dir);
      loop(port, post, operations, new Reader(database, operations), { end: () => database.close() });
      post({ kind: 'ready', lastEvent: 0n });
      return;
    }
    const unlock = lockRecords(data.dir);
    checkAtStartup(data.dir, order.note, order.lost);
    const file = new RecordsFile(data.dir);
    const { database } = file;
    const statements = new PreparedStatements(database);
    await migrate(database, lazyKysely(statements));
    ensureIdentity(statements);
    followJournal(database);
    file.begin(embeddedState(statements).id, commitsOf(statements));
    const writer = new Writer(database, operations, (commits) => file.committed(commits));
    const tell = (what: string | undefined): void => {
      if (what !== undefined) post({ kind: 'damaged', what });
    };
    const checking = setInterval(() => tell(file.check(CHECK_PAGES)), CHECK_EVERY_MS);
    loop(port, post, operations, writer, {
      settle: () => tell(file.settle()),
      end: () => {
        clearInterval(checking);
        file.close();
        unlock();
      },
    });
    post({ kind: 'ready', lastEvent: writer.lastEvent() });
  } catch (error) {
    post({ kind: 'failed', thrown: pack(error) });
    port.close();
  }
}

/** Where an older version wrote the journal, its lists are to be made anew. */
function followJournal(database: DatabaseSync): void {
  const statements = new PreparedStatements(database);
  database.exec('BEGIN IMMEDIATE');
  new Lists(statements).reach(new JournalReader(statements).end());
  database.exec('COMMIT');
}

function loop(
  port: MessagePort,
  post: (message: FromThread) => void,
  operations: ReadonlyMap<string, AnyOperation>,
  runner: Runner,
  { settle = () => {}, end }: Upkeep,
): void {
  const waiting: CallRun[] = [];
  let closing = false;
  let running = false;
  const take = (message: ToThread): void => {
    if (message === 'close') closing = true;
    else if (!isOrder(message)) waiting.push(...message);
  };
  const run = async (): Promise<void> => {
    running = true;
    for (;;) {
      for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port))
        take(more.message as ToThread);
      if (waiting.length === 0) break;
      const group = nextGroup(waiting);
      answer(post, operations, group, await runner.run(group));
      settle();
    }
    running = false;
    if (!closing) return;
    end();
    post({ kind: 'closed' });
    port.close();
  };
  port.on('message', (message: ToThread) => {
    take(message);
    if (!running) void run();
  });
}

/** Takes the runs of a group off the front. */
function nextGroup(waiting: CallRun[]): CallRun[] {
  let calls = 0;
  const end = waiting.findIndex(([, , count]) => (calls += count) > MOST_IN_GROUP);
  return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end));
}

function answer(
  post: (message: FromThread) => void,
  operations: ReadonlyMap<string, AnyOperation>,
  calls: readonly CallRun[],
  { answers, lastEvent }: Answers,
): void {
  try {
    post({ kind: 'answers', answers: answerRuns(calls, answers, operations), lastEvent });
  } catch (error) {
    // A result that cannot be cloned must not take the answers beside it with it.
    const thrown = pack(error);
    const cloneable = answers.map((one) =>
      'packed' in one || isCloneable(one.result) ? one : { ...one, result: undefined, thrown },
    );
    post({ kind: 'answers', answers: answerRuns(calls, cloneable, operations), lastEvent });
    const names = answers.flatMap((one) => ('name' in one ? [one.name] : []));
    console.error(`records: a result of ${names.join(', ')} cannot be cloned`);
  }
}

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

async function operationsWith(extra: string | undefined): Promise<ReadonlyMap<string, AnyOperation>> {
  if (extra === undefined) return OPERATIONS;
  const module = (await import(extra)) as { readonly operations: readonly AnyOperation[] };
  return new Map([...OPERATIONS, ...module.operations.map((one): [string, AnyOperation] => [one.name, one])]);
}

if (parentPort !== null) await serve(parentPort, workerData as ThreadData);
