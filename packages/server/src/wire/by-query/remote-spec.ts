// Reads `remote` in the source of a reindex: the address of another server, and how to talk to it.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import {
  EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
  plainText,
} from '@octavo/engine';
import { matchesAnyWildcard } from '../../patterns/wildcard.ts';
import type { RemoteSource } from '../router/document-pages.ts';
import { parseMillis } from '../router/query-params.ts';

/** Another server, without what is read from it. */
export type RemoteServer = Omit<RemoteSource, 'indices' | 'search'>;

const MEMBERS = ['host', 'username', 'password', 'headers', 'socket_timeout', 'connect_timeout'];

export function readRemote(value: JsonValue): RemoteServer {
  if (!isObject(value)) throw illegalArgument('[remote] must be an object');
  const unknown = Object.keys(value).filter((name) => !MEMBERS.includes(name));
  if (unknown.length > 0) throw illegalArgument(`Unsupported fields in [remote]: [${unknown.join(', ')}]`);
  const text = (name: string): string | undefined => {
    const member = value[name];
    if (member === undefined || typeof member === 'string') return member;
    throw illegalArgument(`[${name}] of [remote] must be a text, found [${plainText(member)}]`);
  };
  const millis = (name: string): number | undefined => {
    const duration = text(name);
    return duration === undefined ? undefined : parseMillis(duration, name);
  };
  const host = text('host');
  if (host === undefined)
    throw new EngineError(
      'null_pointer_exception',
      '[host] must be specified to reindex from a remote cluster',
    );
  const headers = { ...headersOf(value['headers']), ...credentials(text('username'), text('password')) };
  return {
    ...{ url: hostUrl(host), headers },
    ...{ connectMs: millis('connect_timeout'), answerMs: millis('socket_timeout') },
  };
}

/** Throws if the operator does not allow to read from a server. */
export function refuseUnlisted({ url }: RemoteServer, allowed: readonly string[]): void {
  const host = `${url.hostname}:${portOf(url)}`;
  if (matchesAnyWildcard(allowed, host)) return;
  throw illegalArgument(
    `[${host}] not allowlisted in reindex.remote.allowlist; start the server with --reindex-from`,
  );
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

function hostUrl(text: string): URL {
  const refused = illegalArgument(
    `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${text}]`,
  );
  if (!/^https?:\/\/[^/?#@]+:\d{1,5}(?:\/[^?#]*)?$/.test(text) || !URL.canParse(text)) throw refused;
  return new URL(text);
}

function credentials(user: string | undefined, password: string | undefined): Record<string, string> {
  if (user === undefined && password === undefined) return {};
  if (user === undefined || password === undefined)
    throw illegalArgument('[remote] has a [username] without a [password], or the other way round');
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function headersOf(value: JsonObject[string] | undefined): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw illegalArgument('[headers] of [remote] must be an object');
  const out: Record<string, string> = {};
  for (const [name, each] of Object.entries(value)) {
    if (typeof each !== 'string') throw illegalArgument(`the header [${name}] must be a text`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, each);
    } catch {
      throw illegalArgument(`the header [${name}] is not one of HTTP`);
    }
    out[name.toLowerCase()] = each;
  }
  return out;
}
