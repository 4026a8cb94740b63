// A JSON value as a tree that opens and closes.

import { toJson } from '@octavo/client';
import { type ReactElement, useState } from 'react';

/** Members of one level that are shown before the reader asks for more. */
const SHOWN = 200;
const OPEN_DEPTH = 2;

interface JsonTreeProps {
  readonly value: unknown;
  readonly name?: string | undefined;
  readonly depth?: number;
}

export function JsonTree({ value, name, depth = 0 }: JsonTreeProps): ReactElement {
  const [shown, setShown] = useState(SHOWN);
  if (typeof value !== 'object' || value === null)
    return (
      <div className="tree-leaf">
        {name !== undefined && <span className="tree-name">{name}</span>}
        <span className="tree-value" data-type={value === null ? 'null' : typeof value}>
          {typeof value === 'string' ? value : toJson(value)}
        </span>
      </div>
    );
  const members = Object.entries(value);
  const isArray = Array.isArray(value);
  const children = members
    .slice(0, shown)
    .map(([key, each]) => <JsonTree key={key} name={key} value={each} depth={depth + 1} />);
  const more = members.length > shown && (
    <button type="button" className="link" onClick={() => setShown(shown + SHOWN)}>
      {members.length - shown} more
    </button>
  );
  if (name === undefined)
    return (
      <div className="tree">
        {children}
        {more}
      </div>
    );
  return (
    <details className="tree-branch" open={depth < OPEN_DEPTH && members.length > 0}>
      <summary>
        <span className="tree-name">{name}</span>
        <span className="muted">{isArray ? `[${members.length}]` : `{${members.length}}`}</span>
      </summary>
      <div className="tree-children">
        {children}
        {more}
      </div>
    </details>
  );
}
