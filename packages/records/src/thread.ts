// The module that the two threads of the embedded store run: one writes, one reads. Each is a loop: take all calls that wait, run
// them, post their answers as one message.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { AnyOperation } from './contracts/operation.ts';
import { packError } from './contracts/store-errors.ts';
import { OPERATIONS } from './operations.ts';
import { openForReading } from './store/sqlite/connection.ts';
import type {
  FromThread,
  OpenRequest,
  ThreadAnswers,
  ThreadCall,
  ThreadData,
  ToThread,
} from './store/threads/messages.ts';
import { openWriter } from './store/threads/open-writer.ts';
import { RecordsReader } from './store/threads/records-reader.ts';

interface Runner {
  run(calls: readonly ThreadCall[]): Promise<ThreadAnswers>;
  /** Why it can do nothing more. */
  readonly failure?: Error | undefined;
}

interface Upkeep {
  /** Called between two groups. */
  readonly settle?: () => void;
  readonly end: () => void;
}

/** Calls of a group at most, so that the first of them does not wait too long. */
const MOST_IN_GROUP = 2_048;

/** Pages that are compared with their checksums at once, and how often: a gigabyte takes an hour, 0.2 ms of each second. */
const CHECK_PAGES = 64;
const CHECK_EVERY_MS = 1_000;

/** Waits for the request to open. Undefined where the thread is closed instead. */
function openRequest(port: MessagePort): Promise<OpenRequest | undefined> {
  return new Promise((resolve) => {
    port.once('message', (message: ToThread) => resolve(isOpenRequest(message) ? message : undefined));
  });
}

function isOpenRequest(message: ToThread): message is OpenRequest {
  return typeof message === 'object' && 'kind' in message;
}

async function serve(port: MessagePort, data: ThreadData): Promise<void> {
  const request = await openRequest(port);
  if (request === undefined) return port.close();
  const post = (message: FromThread): void => port.postMessage(message);
  try {
    const operations = await operationsWith(data.extra);
    if (data.role === 'reader') {
      const database = openForReading(data.dir);
      loop(port, post, new RecordsReader(database, operations), { end: () => database.close() });
      post({ kind: 'ready', lastEvent: 0n });
      return;
    }
    const { writer, file, settle, end } = await openWriter(data.dir, operations, request);
    const tell = (what: string | undefined): void => {
      if (what !== undefined) post({ kind: 'damaged', what });
    };
    const checking = setInterval(() => tell(file.check(CHECK_PAGES)), CHECK_EVERY_MS);
    loop(port, post, writer, {
      settle: () => tell(settle()),
      end: () => {
        clearInterval(checking);
        end();
      },
    });
    post({ kind: 'ready', lastEvent: writer.lastEvent() });
  } catch (error) {
    post({ kind: 'failed', thrown: packError(error) });
    port.close();
  }
}

function loop(
  port: MessagePort,
  post: (message: FromThread) => void,
  runner: Runner,
  { settle = () => {}, end }: Upkeep,
): void {
  const waiting: ThreadCall[] = [];
  let closing = false;
  let running = false;
  let isBroken = false;
  const take = (message: ToThread): void => {
    if (message === 'close') closing = true;
    else if (!isOpenRequest(message)) waiting.push(...message);
  };
  const run = async (): Promise<void> => {
    running = true;
    for (;;) {
      for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port))
        take(more.message as ToThread);
      if (waiting.length === 0) break;
      answer(post, await runner.run(waiting.splice(0, MOST_IN_GROUP)));
      settle();
      const { failure } = runner;
      if (failure === undefined || isBroken) continue;
      isBroken = true;
      post({ kind: 'broken', thrown: packError(failure) });
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

function answer(post: (message: FromThread) => void, { answers, lastEvent }: ThreadAnswers): void {
  try {
    post({ kind: 'answers', answers, lastEvent });
  } catch (error) {
    // A result that cannot be cloned must not take the other answers with it.
    const thrown = packError(error);
    const cloneable = answers.map((one) =>
      isCloneable(one.result) ? one : { ...one, result: undefined, thrown },
    );
    post({ kind: 'answers', answers: cloneable, lastEvent });
    console.error(`records: a result cannot be cloned: ${thrown.detail}`);
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
