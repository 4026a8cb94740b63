// How a score came about, and where the time of a search went, as trees with bars.

import type { ReactNode } from 'react';

export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details?: readonly Explanation[];
}

export function ExplanationTree({
  id,
  explanation,
}: {
  readonly id: string;
  readonly explanation: Explanation;
}): ReactNode {
  return (
    <details className="explained">
      <summary>
        Score of {id}: <b>{explanation.value}</b>
      </summary>
      <ExplanationNode {...explanation} whole={explanation.value} />
    </details>
  );
}

function ExplanationNode({
  value,
  description,
  details = [],
  whole,
}: Explanation & { readonly whole: number }): ReactNode {
  return (
    <div className="explained-node">
      <Bar part={value} whole={whole} />
      <span>
        <b>{Number(value.toPrecision(6))}</b> {description}
      </span>
      {details.map((one, i) => (
        <ExplanationNode key={i} {...one} whole={whole} />
      ))}
    </div>
  );
}

interface ProfiledQuery {
  readonly type: string;
  readonly description: string;
  readonly time_in_nanos: number;
  readonly children?: readonly ProfiledQuery[];
}

interface Profile {
  readonly shards: readonly {
    readonly id: string;
    readonly searches?: readonly { readonly query: readonly ProfiledQuery[] }[];
  }[];
}

export function ProfileTree({ profile }: { readonly profile: Profile }): ReactNode {
  return (
    <details className="explained" open>
      <summary>Time by part of the query</summary>
      {profile.shards.map(({ id, searches = [] }) =>
        searches
          .flatMap(({ query }) => query)
          .map((one) => <ProfileNode key={`${id} ${one.description}`} {...one} whole={one.time_in_nanos} />),
      )}
    </details>
  );
}

function ProfileNode({
  type,
  description,
  time_in_nanos,
  children = [],
  whole,
}: ProfiledQuery & { readonly whole: number }): ReactNode {
  return (
    <div className="explained-node">
      <Bar part={time_in_nanos} whole={whole} />
      <span>
        <b>{(time_in_nanos / 1_000).toFixed(0)} µs</b> {type} <code>{description}</code>
      </span>
      {children.map((one, i) => (
        <ProfileNode key={i} {...one} whole={whole} />
      ))}
    </div>
  );
}

function Bar({ part, whole }: { readonly part: number; readonly whole: number }): ReactNode {
  const share = whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
  return <span className="share" aria-hidden="true" style={{ inlineSize: `${(100 * share).toFixed(1)}%` }} />;
}
