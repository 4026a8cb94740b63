// Converts anything thrown into a problem of the application API. Defects of ours stay `internal` and reveal
// nothing.

import { EngineError } from '@octavo/engine';
import { CursorError } from '@octavo/paging';
import { RecordsError } from '@octavo/records';
import type { FastifyError } from 'fastify';
import { Problem, type ProblemCode } from './problem.ts';
import { validationProblem } from './validation-problem.ts';

/** Undefined for a defect of ours. */
export function toProblem(thrown: unknown): Problem | RecordsError | undefined {
  if (thrown instanceof Problem || thrown instanceof RecordsError) return thrown;
  if (thrown instanceof CursorError) {
    const extra = thrown.changed.length > 0 ? { extra: { changed: thrown.changed } } : {};
    return new Problem(thrown.code, thrown.message, extra);
  }
  if (thrown instanceof EngineError) return engineProblem(thrown);
  if (!(thrown instanceof Error)) return undefined;
  const error = thrown as FastifyError;
  if (error.validation !== undefined) return validationProblem(error);
  return frameworkProblem(error);
}

const CODE_BY_TYPE: Readonly<Record<string, ProblemCode>> = {
  content_too_long_exception: 'payload-too-large',
  json_parse_exception: 'invalid-body',
  json_e_o_f_exception: 'invalid-body',
  cursor_invalid: 'cursor-invalid',
  cursor_expired: 'cursor-expired',
  cursor_mismatch: 'cursor-mismatch',
  cursor_forbidden: 'cursor-forbidden',
  forbidden_exception: 'forbidden',
  too_long_http_line_exception: 'uri-too-long',
};

const CODE_BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid-parameter',
  403: 'forbidden',
  404: 'not-found',
  410: 'cursor-expired',
  413: 'payload-too-large',
  414: 'uri-too-long',
  415: 'unsupported-media-type',
  429: 'unavailable',
  503: 'unavailable',
  507: 'store-full',
};

function engineProblem(error: EngineError): Problem | undefined {
  const code = Object.hasOwn(CODE_BY_TYPE, error.type)
    ? CODE_BY_TYPE[error.type]
    : CODE_BY_STATUS[error.status];
  return code === undefined ? undefined : new Problem(code, error.message);
}

/** Refusals of Fastify before a handler runs. */
function frameworkProblem(error: FastifyError): Problem | undefined {
  if (typeof error.code !== 'string' || !error.code.startsWith('FST_ERR_')) return undefined;
  switch (error.code) {
    case 'FST_ERR_BAD_URL':
      return new Problem('invalid-parameter', 'The path is not valid percent-encoded UTF-8.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(
        'unsupported-media-type',
        'The content type of the body is malformed. Send JSON as application/json.',
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('invalid-body', 'The length of the body differs from the content-length header.');
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new Problem(
        'unsupported-media-type',
        'A QUERY request needs a content type; send application/json.',
      );
    default: {
      const code = CODE_BY_STATUS[error.statusCode ?? 500];
      return code === undefined ? undefined : new Problem(code, error.message);
    }
  }
}
