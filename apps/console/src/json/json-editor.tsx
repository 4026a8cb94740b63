// A JSON editor (CodeMirror 6). The caller may add extensions, such as completion.

import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { type ReactElement, useEffect, useRef } from 'react';

const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-word)' },
]);

const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--surface-2)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft) !important', outline: 'none' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--accent-text)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--surface-3)', border: 'none', color: 'var(--text-2)' },
});

interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onText?: (text: string) => void;
  /** Called by Ctrl+Enter (Cmd+Enter). */
  readonly onRun?: () => void;
  readonly readOnly?: boolean;
  /** True if each line is a JSON text of its own: the whole is then not checked as one. */
  readonly hasLines?: boolean;
  readonly extensions?: Extension;
}

const NONE: Extension = [];

export function JsonEditor({
  label,
  text,
  readOnly = false,
  hasLines = false,
  extensions = NONE,
  ...on
}: JsonEditorProps): ReactElement {
  const home = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(on);
  latest.current = on;
  const first = useRef(text);
  useEffect(() => {
    if (home.current === null) return;
    const run = keymap.of([
      {
        key: 'Mod-Enter',
        run: () => {
          latest.current.onRun?.();
          return latest.current.onRun !== undefined;
        },
      },
    ]);
    const editor = new EditorView({
      parent: home.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          run,
          basicSetup,
          json(),
          ...(readOnly ? [EditorState.readOnly.of(true)] : []),
          ...(readOnly || hasLines ? [] : [linter(jsonParseLinter()), lintGutter()]),
          syntaxHighlighting(COLORS),
          THEME,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onText?.(update.state.doc.toString());
          }),
          extensions,
        ],
      }),
    });
    view.current = editor;
    return () => {
      first.current = editor.state.doc.toString();
      editor.destroy();
    };
  }, [label, readOnly, hasLines, extensions]);
  // A text from outside replaces what is written; the caller's own echo does not.
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  return <div className="editor" ref={home} />;
}
