// Runs one step of a test: an API call, a stashed value, or a check of the last reply.

import { type Apis, toHttp } from './apis.ts';
import { CHECKS, shortText, singleEntry } from './checks.ts';
import type { Client, TestReply } from './client.ts';
import { Failed, Skipped } from './failed.ts';
import { patternIn, toRegExp } from './pattern.ts';
import { Stash } from './stash.ts';
import { javaText, textOf, type Value, type ValueMap, writeJson } from './values.ts';

/** The API descriptions and the server of a step. */
export interface StepContext {
  readonly apis: Apis;
  readonly client: Client;
}

export async function runStep(step: Value, stash: Stash, bench: StepContext): Promise<void> {
  const [kind, argument] = singleEntry(step);
  if (kind === 'skip') return;
  if (kind === 'do') return doCall(argument as ValueMap, stash, bench);
  if (kind === 'set') {
    for (const [path, name] of argument as ValueMap) {
      const value = stash.at(path);
      if (value === undefined) throw new Failed(`there is nothing at ${path} to set aside`);
      stash.set(textOf(name), value);
    }
    return;
  }
  const check = CHECKS[kind];
  if (check === undefined) throw new Skipped(`the step ${kind} is not supported`);
  check(argument, stash);
}

/** Members of `do` other than the call. */
const BESIDE = new Set([
  'catch',
  'headers',
  'warnings',
  'warnings_regex',
  'allowed_warnings',
  'allowed_warnings_regex',
  'node_selector',
]);

async function doCall(spec: ValueMap, stash: Stash, bench: StepContext): Promise<void> {
  const caught = spec.get('catch');
  // This check is for clients that validate parameters themselves; nothing is sent.
  if (caught === 'param') return;
  const [name, given] = [...spec].filter(([key]) => !BESIDE.has(key)).at(-1) ?? [];
  if (name === undefined) throw new Failed('a do without a call');
  const args = argumentsOf((given as ValueMap | null) ?? new Map(), stash);
  const headers = new Map(stash.fill(spec.get('headers') ?? new Map()) as ValueMap);
  const type = textOf([...headers].find(([key]) => key.toLowerCase() === 'content-type')?.[1] ?? '');
  const { method, target, body } = toHttp(bench.apis, name, args, /yaml/i.test(type));
  const sent = Object.fromEntries([...headers].map(([key, value]) => [key, textOf(value)]));
  const answer = await bench.client.send(method, target, body, sent);
  stash.take(answer);
  judge(name, answer, caught, isIgnored(answer, args, method));
}

function argumentsOf(given: ValueMap, stash: Stash): ValueMap {
  const args: ValueMap = new Map();
  for (const [key, value] of given) {
    if (key === 'body' && value !== null) args.set('body', fillBody(value, stash));
    else if (key !== 'body' && value !== null) args.set(key, stash.fill(value));
  }
  return args;
}

function fillBody(body: Value, stash: Stash): Value {
  const one = (part: Value): Value => (typeof part === 'string' ? stash.fillText(part) : stash.fill(part));
  return Array.isArray(body) ? body.map(one) : one(body);
}

function isIgnored(answer: TestReply, args: ValueMap, method: string): boolean {
  const ignore = args.get('ignore') ?? [];
  const statuses = (Array.isArray(ignore) ? ignore : [ignore]).map(textOf);
  return statuses.includes(String(answer.status)) || (method === 'HEAD' && answer.status === 404);
}

const STATUS: Readonly<Record<string, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  request_timeout: 408,
  conflict: 409,
  unavailable: 503,
};

function judge(name: string, answer: TestReply, caught: Value | undefined, ignored: boolean): void {
  const came = `${answer.status} ${answer.text.replace(/\s+/g, ' ').slice(0, 400)}`;
  const failed = answer.status >= 400 && !ignored;
  if (caught === undefined) {
    if (failed) throw new Failed(`${name}: ${came}`);
    return;
  }
  const wanted = textOf(caught);
  if (!failed) throw new Failed(`${name}: expected an error (${wanted.slice(0, 80)}), got ${came}`);
  if (Object.hasOwn(STATUS, wanted)) {
    if (answer.status !== STATUS[wanted])
      throw new Failed(`${name}: expected ${STATUS[wanted]}, got ${came}`);
  } else if (wanted === 'request') {
    if ([400, 401, 403, 404, 405, 408, 409].includes(answer.status)) {
      throw new Failed(`${name}: expected an error that has no name, got ${came}`);
    }
  } else judgePattern(name, answer, wanted, came);
}

function judgePattern(name: string, answer: TestReply, wanted: string, came: string): void {
  const pattern = patternIn(wanted);
  if (pattern === undefined) throw new Skipped(`catch: ${wanted} is not known`);
  const error = answer.body instanceof Map ? answer.body.get('error') : undefined;
  if (error === undefined || error === null)
    throw new Failed(`${name}: expected an "error" in the answer, got ${came}`);
  const regexp = toRegExp(pattern, false);
  const texts = [javaText(error), writeJson(error), javaText(error).replaceAll('\\"', '"')];
  if (!texts.some((text) => regexp.test(text))) {
    throw new Failed(`${name}: expected the error ${shortText(wanted)}, got ${came}`);
  }
}

export { Stash };
