import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { entriesAt, shortText, type Json } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { bytesText } from '../parts/bytes.ts';
import { Copy } from '../parts/copy.tsx';
import { decoded } from './decoded.ts';
import { isLong, LongText } from './long-text.tsx';

/** Whether it is the kind whose data are secret. */
export function isSecret({ group, plural }: Kind): boolean {
  return group === '' && plural === 'secrets';
}

/** The values of a Secret, hidden until one is asked for. */
export function SecretData({ data }: { readonly data: Json }): JSX.Element {
  return (
    <dl class="fields">
      {entriesAt(data).map(([key, value]) => (
        <Secret key={key} name={key} base64={shortText(value)} />
      ))}
    </dl>
  );
}

function Secret({ name, base64 }: { readonly name: string; readonly base64: string }): JSX.Element {
  const isShown = useSignal(false);
  const value = useMemo(() => decoded(base64), [base64]);
  const text = value?.text;
  const size = value === undefined ? 'not base64' : bytesText(value.bytes);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <div class="secret">
          <span class="dim">
            {size}
            {value !== undefined && text === undefined && ', not text'}
          </span>
          <button
            type="button"
            class="small"
            aria-expanded={isShown.value}
            aria-label={`${isShown.value ? 'Hide' : 'Reveal'} ${name}`}
            onClick={() => (isShown.value = !isShown.value)}
          >
            {isShown.value ? 'Hide' : 'Reveal'}
          </button>
          <Copy text={text ?? base64} label={text === undefined ? `${name} in base64` : name} />
        </div>
        {isShown.value && <Shown text={text ?? base64} label={name} />}
      </dd>
    </div>
  );
}

function Shown({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  if (text === '') return <p class="dim">empty</p>;
  if (isLong(text)) return <LongText text={text} label={`the value of ${label}`} />;
  return (
    <pre class="block wrapped" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
