// A failure as the server explains it: what was wrong, where, and what to do.

import { OctavoError } from '@octavo/client';
import type { ReactElement, ReactNode } from 'react';
import { SERVER } from './session.ts';

interface ProblemProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** The failure, if there is one. */
export function ProblemOf({ error }: { readonly error: unknown }): ReactElement | null {
  return error === undefined || error === null ? null : <Problem error={error} />;
}

export function Problem({ error, retry, children }: ProblemProps): ReactElement {
  const facts = factsOf(error);
  return (
    <section className="problem" role="alert">
      <h2>{facts.title}</h2>
      <p>{facts.detail}</p>
      {children}
      <p className="problem-meta">
        {facts.code !== undefined && <code>{facts.code}</code>}
        {facts.field !== undefined && (
          <span>
            at <code>{facts.field}</code>
          </span>
        )}
        {facts.requestId !== undefined && (
          <span>
            request <code>{facts.requestId}</code>
          </span>
        )}
        {facts.page !== undefined && (
          <a href={facts.page} target="_blank" rel="noreferrer">
            About this problem
          </a>
        )}
      </p>
      {retry !== undefined && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </section>
  );
}

/** The sentence of a failure. */
export function messageOf(error: unknown): string {
  return factsOf(error).detail;
}

interface Facts {
  readonly title: string;
  readonly detail: string;
  readonly code?: string | undefined;
  readonly field?: string | undefined;
  readonly requestId?: string | undefined;
  readonly page?: string | undefined;
}

function factsOf(error: unknown): Facts {
  if (!(error instanceof OctavoError))
    return { title: 'The console failed', detail: error instanceof Error ? error.message : String(error) };
  const { status, code, detail, field, requestId, surface } = error;
  const page = surface === 'api' ? `${SERVER}/api/problems/${encodeURIComponent(code)}` : undefined;
  return {
    title: titleOf(status),
    detail,
    code: `${status === 0 ? '' : `${status} `}${code}`,
    field,
    requestId,
    page,
  };
}

function titleOf(status: number): string {
  if (status === 0) return 'The server cannot be reached';
  if (status === 401) return 'A key is needed';
  if (status === 403) return 'This key may not do that';
  if (status === 404) return 'There is nothing here';
  if (status === 409) return 'It has changed meanwhile';
  if (status === 429) return 'Too many requests';
  if (status === 503) return 'The server is not ready';
  return status >= 500 ? 'The server failed' : 'The request was refused';
}
