import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, linter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { KindSchema } from '../schema/documents.ts';
import { describe, schemaAt } from '../schema/schema.ts';
import { problemsOf } from '../schema/validate.ts';
import { completionFor } from './completion.ts';
import { pathText } from './data.ts';
import { readText } from './document.ts';
import { consoleHighlight, consoleTheme } from './theme.ts';

interface CodeOptions {
  readonly text: string;
  readonly label: string;
  /** The schema as it is known now. */
  readonly ofKind: () => KindSchema;
  readonly onChange: (text: string) => void;
  /** Ctrl+S or Cmd+S. */
  readonly onSave: () => void;
}

/** Texts that are checked while they are typed; larger ones are checked by the server alone. */
const MOST_CHECKED = 500_000;
/** Pause after the last key before the text is checked. */
const CHECK_AFTER_MS = 300;

/**
 * An editor inside of `host`. It lives in a shadow tree: there its styles are sheets
 * of the document's own making, which a strict content security policy allows.
 */
export function openCode(host: HTMLElement, options: CodeOptions): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const save = {
    key: 'Mod-s',
    preventDefault: true,
    run: () => {
      options.onSave();
      return true;
    },
  };
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        ...[
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
        ],
        ...[highlightActiveLine(), highlightSelectionMatches(), lintGutter(), yaml()],
        ...[consoleTheme, syntaxHighlighting(consoleHighlight)],
        // keys that follow at once are meant for the list: by default it ignores them for 75 ms
        autocompletion({ override: [completionFor(options.ofKind)], interactionDelay: 0 }),
        linter((view) => diagnosticsOf(view.state.doc.toString(), options.ofKind()), {
          delay: CHECK_AFTER_MS,
        }),
        hoverTooltip((view, position) => hoverAt(view, position, options.ofKind())),
        keymap.of([
          ...[
            save,
            ...completionKeymap,
            ...lintKeymap,
            ...foldKeymap,
            ...historyKeymap,
            ...searchKeymap,
          ],
          ...[...defaultKeymap, indentWithTab],
        ]),
        EditorView.contentAttributes.of({
          ...{ 'aria-label': options.label, spellcheck: 'false', tabindex: '0' },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
}

function diagnosticsOf(text: string, { schema, schemas }: KindSchema): Diagnostic[] {
  if (text.length > MOST_CHECKED) return [];
  const read = readText(text);
  if (read.value === undefined) {
    return read.mistakes.map(({ message, from, to }) => ({
      ...{ from: Math.min(from, text.length), to: Math.min(Math.max(to, from), text.length) },
      ...{ severity: 'error' as const, message },
    }));
  }
  return problemsOf(read.value, schema, schemas).map(({ path, message, isHint }) => {
    const [from, to] = read.placeOf(path);
    const place = path.length === 0 ? '' : `${pathText(path)} `;
    return { from, to, severity: isHint ? 'warning' : 'error', message: `${place}${message}` };
  });
}

function hoverAt(view: EditorView, position: number, { schema, schemas }: KindSchema) {
  const text = view.state.doc.toString();
  if (schema === undefined || text.length > MOST_CHECKED) return null;
  const path = readText(text).pathAt(position);
  if (path.length === 0) return null;
  const { type, description, bounds } = describe(schemaAt(schema, path, schemas));
  if (type === '' && description === '') return null;
  const word = view.state.wordAt(position);
  return {
    pos: word?.from ?? position,
    end: word?.to ?? position,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-hover';
      const head = document.createElement('div');
      head.className = 'cm-hover-type';
      head.textContent = [`${pathText(path)}: ${type}`, ...bounds].join(' · ');
      const body = document.createElement('div');
      body.textContent = description;
      dom.append(head, body);
      return { dom };
    },
  };
}
