// Two JSON texts, line by line.

import type { ReactElement } from 'react';
import { lineDiff } from './line-diff.ts';

interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

const MARKS = { same: ' ', removed: '−', added: '+' } as const;
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' } as const;

export function DiffView({ before, after, label }: DiffViewProps): ReactElement {
  const lines = lineDiff(before, after);
  const isSame = lines.every(({ kind }) => kind === 'same');
  return (
    <section aria-label={label}>
      {isSame && <p className="hint pad">Both are the same.</p>}
      <pre className="diff">
        {lines.map(({ kind, text }, at) => (
          <div key={at} data-kind={kind}>
            <span aria-hidden="true">{MARKS[kind]}</span>
            <span className="hidden">{WORDS[kind]}</span>
            {text}
          </div>
        ))}
      </pre>
    </section>
  );
}
