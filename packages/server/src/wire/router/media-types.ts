// The media types of bodies and answers: JSON under all its names.

import { EngineError } from '@octavo/engine';

const ACCEPTED = new Set([
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/x-json',
  'application/json-lines',
  'text/plain',
  'application/octet-stream',
  'application/vnd.elasticsearch+json',
  'application/vnd.elasticsearch+x-ndjson',
  'application/vnd.opensearch+json',
  'application/vnd.opensearch+x-ndjson',
]);

const JSON_UTF8 = 'application/json; charset=UTF-8';

/** True if a body of this content type is read. A missing type counts as JSON. */
export function acceptsBody(contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  return ACCEPTED.has(mediaType(contentType));
}

/** The content type of the answer: the vendor's type if the client accepts it. */
export function responseType(accept: string | undefined): string {
  if (accept === undefined) return JSON_UTF8;
  const vendor =
    /application\/vnd\.(elasticsearch|opensearch)\+(?:x-nd)?json\s*;\s*compatible-with=(\d)/.exec(accept);
  return vendor === null ? JSON_UTF8 : `application/vnd.${vendor[1]}+json;compatible-with=${vendor[2]}`;
}

/** Throws if the client wants an answer that is not JSON. */
export function refuseForeignFormat(format: string | undefined, accept: string | undefined): void {
  const requested = format ?? foreignAccept(accept);
  if (requested === undefined || requested === '' || requested === 'json' || requested === 'text') return;
  throw new EngineError(
    'illegal_argument_exception',
    `the format [${requested}] is not supported: answers are JSON; leave out [format] or send [format=json]`,
    { status: 406 },
  );
}

/** Throws for a body in a format that the peers read and this server does not. */
export function refuseForeignBody(contentType: string | undefined): void {
  const type = mediaType(contentType ?? '');
  if (!/^application\/(?:vnd\.\w+\+)?(yaml|cbor|smile)$/.test(type)) return;
  throw new EngineError(
    'illegal_argument_exception',
    `Content-Type header [${type}] is not supported: send the body as JSON, with [Content-Type: application/json]`,
    { status: 406 },
  );
}

function foreignAccept(accept: string | undefined): string | undefined {
  if (accept === undefined || accept.includes(',')) return undefined;
  return /^application\/(?:vnd\.\w+\+)?(yaml|cbor|smile)\b/.exec(accept)?.[1];
}

function mediaType(header: string): string {
  const semicolon = header.indexOf(';');
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}
