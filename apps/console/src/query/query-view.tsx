// The query editor: any request of the search wire or the API, its answer, and the trees that explain it.

import { autocompletion } from '@codemirror/autocomplete';
import { DropdownMenu as Menu } from 'radix-ui';
import { type ReactNode, useMemo, useState } from 'react';
import { copyText } from '../frame/copy-text.ts';
import { ProblemOf } from '../frame/problem.tsx';
import { SERVER, useClient } from '../frame/session.ts';
import { JsonEditor } from '../json/json-editor.tsx';
import { JsonTree } from '../json/json-tree.tsx';
import { completionOf } from './completion.ts';
import { bodyFault, type ConsoleRequest, METHODS, sentRequest, takesLines } from './console-request.ts';
import { copyAs, LANGUAGES, type Language } from './copy-as.ts';
import { ExplanationTree, ProfileTree } from './explained.tsx';
import { readHistory, remember } from './history.ts';
import { useFields } from './use-fields.ts';

const FIRST: ConsoleRequest = {
  method: 'POST',
  path: '/_search',
  body: '{\n  "query": { "match_all": {} },\n  "size": 10\n}',
};

interface Answer {
  readonly milliseconds: number;
  readonly reply: unknown;
}

export function QueryView(): ReactNode {
  const client = useClient();
  const [history, setHistory] = useState(readHistory);
  const [request, setRequest] = useState(history[0] ?? FIRST);
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<unknown>();
  const [copied, setCopied] = useState('');
  const { method, path, body } = request;
  const index = /^\/([^/_?][^/?]*)\//.exec(path)?.[1];
  const { data: fields } = useFields(index ?? '');
  const completion = useMemo(() => autocompletion({ override: [completionOf(fields ?? [])] }), [fields]);
  const fault = bodyFault(request);

  const run = async (): Promise<void> => {
    setError(undefined);
    if (fault !== undefined) return;
    const began = performance.now();
    try {
      const reply = await client.call(sentRequest(request));
      setAnswer({ milliseconds: performance.now() - began, reply });
      setHistory(remember(request));
    } catch (thrown) {
      setAnswer(undefined);
      setError(thrown);
    }
  };
  const copy = async (language: Language): Promise<void> => {
    await copyText(copyAs(language, SERVER, request));
    setCopied(`Copied for ${language}.`);
  };
  return (
    <div className="query-view">
      <header className="bar">
        <select
          aria-label="Method"
          value={method}
          onChange={(event) => setRequest({ ...request, method: event.target.value })}
        >
          {METHODS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <input
          className="path"
          aria-label="Path"
          value={path}
          onChange={(event) => setRequest({ ...request, path: event.target.value })}
          onKeyDown={(event) => event.key === 'Enter' && void run()}
        />
        <button type="button" className="button primary" onClick={() => void run()} title="Ctrl+Enter">
          Run
        </button>
        <Menu.Root>
          <Menu.Trigger asChild>
            <button type="button" className="button">
              Copy as
            </button>
          </Menu.Trigger>
          <Menu.Portal>
            <Menu.Content className="menu" align="end" sideOffset={4}>
              {LANGUAGES.map((language) => (
                <Menu.Item key={language} className="menu-item" onSelect={() => void copy(language)}>
                  {language}
                </Menu.Item>
              ))}
            </Menu.Content>
          </Menu.Portal>
        </Menu.Root>
        <label className="inline">
          History
          <select value="" onChange={(event) => setRequest(history[Number(event.target.value)]!)}>
            <option value="" disabled>
              {history.length} {history.length === 1 ? 'request' : 'requests'}
            </option>
            {history.map((one, i) => (
              <option key={JSON.stringify(one)} value={i}>
                {one.method} {one.path} {one.body.replaceAll(/\s+/g, ' ').slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
        <span role="status" className="muted">
          {copied}
        </span>
      </header>
      <div className="query-split">
        <section aria-label="Body of the request">
          <JsonEditor
            label="Body of the request"
            text={body}
            hasLines={takesLines(request)}
            extensions={completion}
            onText={(text) => setRequest((before) => ({ ...before, body: text }))}
            onRun={() => void run()}
          />
          {fault === undefined ? null : <p className="notice">{fault}</p>}
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
        <section aria-label="Answer" className="answer" tabIndex={0}>
          <ProblemOf error={error} />
          {answer === undefined ? null : <AnswerPart {...answer} />}
        </section>
      </div>
    </div>
  );
}

function AnswerPart({ milliseconds, reply }: Answer): ReactNode {
  const { took, hits, profile } = (reply ?? {}) as {
    took?: number;
    hits?: { total?: { value: number }; hits?: { _id: string; _explanation?: never }[] };
    profile?: never;
  };
  const explained = hits?.hits?.filter(({ _explanation }) => _explanation !== undefined) ?? [];
  return (
    <>
      <p className="muted" role="status">
        {milliseconds.toFixed(0)} ms in all{took === undefined ? '' : `, ${took} ms in the server`}
        {hits?.total === undefined ? '' : ` · ${hits.total.value.toLocaleString('en')} hits`}
      </p>
      {profile === undefined ? null : <ProfileTree profile={profile} />}
      {explained.map(({ _id, _explanation }) => (
        <ExplanationTree key={_id} id={_id} explanation={_explanation!} />
      ))}
      {typeof reply === 'string' ? <pre>{reply}</pre> : <JsonTree value={reply} />}
    </>
  );
}
