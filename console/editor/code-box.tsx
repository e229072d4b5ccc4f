import type { EditorView } from '@codemirror/view';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Kind } from '../api/kind.ts';
import { useReading } from '../parts/reading.ts';
import { kindSchema, type KindSchema } from '../schema/documents.ts';
import { openCode } from './code.ts';

interface CodeBoxProps {
  readonly kind: Kind;
  /** What it begins with; another `version` begins again. */
  readonly text: string;
  readonly version: number;
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

const UNKNOWN: KindSchema = { schema: undefined, schemas: {} };

/** A text in the editor, with completion, hover and checks by the schema of its kind. */
export function CodeBox(props: CodeBoxProps): JSX.Element {
  const { kind, version } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { state } = useReading(() => kindSchema(kind), [kind]);
  const schema = useRef<KindSchema>(UNKNOWN);
  schema.current = state.value.value ?? UNKNOWN;
  useEffect(() => {
    if (host.current === null) return undefined;
    const view: EditorView = openCode(host.current, {
      ...{ text: latest.current.text, label: latest.current.label, ofKind: () => schema.current },
      onChange: (text) => latest.current.onChange(text),
      onSave: () => latest.current.onSave(),
    });
    view.focus();
    return () => view.destroy();
  }, [version]);
  return <div ref={host} class="code" />;
}
