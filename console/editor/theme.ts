import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor in the colours of the console, which come through the border of its shadow tree. */
export const consoleTheme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: '13px',
    height: '100%',
  },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--accent)', padding: '10px 0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--dim)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused': { outline: 'none' },
  // above the numbers of the lines and the line of the cursor, which would hide an outline
  '&.cm-focused::after': {
    ...{ content: '""', position: 'absolute', inset: '0', zIndex: '250', pointerEvents: 'none' },
    ...{ border: '2px solid var(--accent)', borderRadius: 'inherit' },
  },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    ...{ backgroundColor: 'var(--raised)', color: 'var(--text)', borderRadius: '8px' },
    ...{ border: '1px solid var(--line)', boxShadow: 'var(--shadow)', maxWidth: '32rem' },
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    ...{ backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
  },
  '.cm-completionDetail': { color: 'var(--dim)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-hover': { padding: '8px 12px', fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-hover-type': { color: 'var(--dim)', fontFamily: 'var(--mono)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)' },
});

/** Colours of the parts of a text. */
export const consoleHighlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--literal)' },
  { tag: tags.comment, color: 'var(--dim)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator], color: 'var(--dim)' },
]);
