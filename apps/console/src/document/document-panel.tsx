// One document beside the list: as a tree, as JSON to edit, and compared with the version that the list shows.

import { parseJson, type StoredDocument } from '@octavo/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AlertDialog, Tabs } from 'radix-ui';
import { type KeyboardEvent, lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react';
import { Icon } from '../frame/icons.tsx';
import { Problem } from '../frame/problem.tsx';
import { client } from '../frame/session.ts';
import { DiffView } from '../json/diff-view.tsx';
import { JsonTree } from '../json/json-tree.tsx';
import { prettyJson } from '../json/pretty-json.ts';
import '../json/json.css';
import './document.css';

const JsonEditor = lazy(async () => ({ default: (await import('../json/json-editor.tsx')).JsonEditor }));

interface DocumentPanelProps {
  readonly index: string;
  readonly id: string;
  /** The document as the snapshot of the list has it. */
  readonly readSnapshot: (signal: AbortSignal) => Promise<unknown>;
  readonly onClose: () => void;
}

export function DocumentPanel({ index, id, readSnapshot, onClose }: DocumentPanelProps): ReactElement {
  const panel = useRef<HTMLElement>(null);
  const queries = useQueryClient();
  const key = ['document', index, id];
  const stored = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await client().documents(index).get(id, { signal })) ?? null,
  });
  const [draft, setDraft] = useState<string>();
  const [tab, setTab] = useState('tree');
  const isDeleted = stored.data === null;
  // Once it is deleted, what had the focus is no longer there.
  useEffect(() => {
    if (isDeleted || !panel.current?.contains(window.document.activeElement)) panel.current?.focus();
  }, [isDeleted]);
  const document = stored.data ?? undefined;
  const text = document === undefined ? '' : prettyJson(document._source);
  const refresh = async (): Promise<void> => {
    setDraft(undefined);
    await queries.invalidateQueries({ queryKey: ['document', index, id] });
  };
  const save = useMutation({
    mutationFn: async (base: StoredDocument) => {
      const version = { ifSeqNo: base._seq_no, ifPrimaryTerm: base._primary_term };
      return await client()
        .documents(index)
        .index(id, parseJson(draft ?? text), version);
    },
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: async (base: StoredDocument) => {
      const version = { ifSeqNo: base._seq_no, ifPrimaryTerm: base._primary_term };
      return await client().documents(index).delete(id, version);
    },
    onSuccess: refresh,
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
  };
  const failure = save.error ?? remove.error;
  return (
    <aside ref={panel} className="panel" aria-label={`Document ${id}`} tabIndex={-1} onKeyDown={onKeyDown}>
      <header className="panel-head">
        <div>
          <h2 className="mono">{id}</h2>
          <p className="muted num">
            {index}
            {document !== undefined &&
              ` · version ${document._version} · sequence number ${document._seq_no}`}
          </p>
        </div>
        <button type="button" className="icon-button" aria-label="Close the document" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {stored.error !== null && <Problem error={stored.error} retry={() => void stored.refetch()} />}
      {isDeleted && <p className="empty">This document has been deleted.</p>}
      {document !== undefined && (
        <Tabs.Root className="panel-body" value={tab} onValueChange={setTab}>
          <div className="panel-tabs">
            <Tabs.List aria-label="Views of the document" className="tabs">
              <Tabs.Trigger value="tree">Tree</Tabs.Trigger>
              <Tabs.Trigger value="json">JSON</Tabs.Trigger>
              <Tabs.Trigger value="compare">Compare</Tabs.Trigger>
            </Tabs.List>
            <RemoveButton id={id} onRemove={() => remove.mutate(document)} />
          </div>
          {failure !== null && (
            <div className="pad">
              <Problem error={failure}>
                {save.error !== null && (
                  <button
                    type="button"
                    className="button small"
                    onClick={() => {
                      save.reset();
                      void queries.invalidateQueries({ queryKey: key });
                      setTab('compare');
                    }}
                  >
                    Compare what you wrote with what is stored now
                  </button>
                )}
              </Problem>
            </div>
          )}
          <Tabs.Content value="tree" className="panel-view">
            <JsonTree value={document._source} />
          </Tabs.Content>
          <Tabs.Content value="json" className="panel-view panel-edit">
            <Suspense fallback={<p className="loading">Loading…</p>}>
              <JsonEditor label={`Source of ${id}`} text={draft ?? text} onText={setDraft} />
            </Suspense>
            <Draft
              text={text}
              draft={draft}
              isBusy={save.isPending}
              onSave={() => save.mutate(document)}
              onReset={() => setDraft(undefined)}
            />
          </Tabs.Content>
          <Tabs.Content value="compare" className="panel-view">
            {draft !== undefined && draft !== text ? (
              <>
                <p className="hint pad">From what is stored to what you wrote:</p>
                <DiffView before={text} after={draft} label="Your changes" />
              </>
            ) : (
              <SnapshotDiff document={document} text={text} readSnapshot={readSnapshot} />
            )}
          </Tabs.Content>
        </Tabs.Root>
      )}
    </aside>
  );
}

interface DraftProps {
  readonly text: string;
  readonly draft: string | undefined;
  readonly isBusy: boolean;
  readonly onSave: () => void;
  readonly onReset: () => void;
}

function Draft({ text, draft, isBusy, onSave, onReset }: DraftProps): ReactElement {
  const isChanged = draft !== undefined && draft !== text;
  return (
    <div className="row end panel-foot">
      <p className="hint">Saved only if nobody has changed it meanwhile.</p>
      <button type="button" className="button quiet" disabled={!isChanged} onClick={onReset}>
        Undo all
      </button>
      <button
        type="button"
        className="button primary"
        disabled={!isChanged || isBusy || !isObject(draft)}
        onClick={onSave}
      >
        Save
      </button>
    </div>
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

interface SnapshotDiffProps {
  readonly document: StoredDocument;
  readonly text: string;
  readonly readSnapshot: DocumentPanelProps['readSnapshot'];
}

function SnapshotDiff({ document, text, readSnapshot }: SnapshotDiffProps): ReactElement {
  const { _index, _id, _seq_no } = document;
  const { data, error } = useQuery({
    queryKey: ['document-in-snapshot', _index, _id, _seq_no],
    queryFn: async ({ signal }) => (await readSnapshot(signal)) ?? null,
    staleTime: 0,
  });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <p className="loading">Loading…</p>;
  if (data === null) return <p className="hint pad">The snapshot of the list does not have this document.</p>;
  return (
    <>
      <p className="hint pad">From the version in the snapshot of the list to the one that is stored now:</p>
      <DiffView before={prettyJson(data)} after={text} label="Changes since the snapshot" />
    </>
  );
}

function RemoveButton({
  id,
  onRemove,
}: {
  readonly id: string;
  readonly onRemove: () => void;
}): ReactElement {
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger className="button small danger">Delete</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay" />
        <AlertDialog.Content className="dialog">
          <AlertDialog.Title>Delete the document?</AlertDialog.Title>
          <AlertDialog.Description>
            <code>{id}</code> is deleted if nobody has changed it meanwhile. The snapshot of the list still
            shows it.
          </AlertDialog.Description>
          <div className="row end">
            <AlertDialog.Cancel className="button">Keep it</AlertDialog.Cancel>
            <AlertDialog.Action className="button danger" onClick={onRemove}>
              Delete it
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
