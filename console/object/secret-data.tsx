import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { entriesAt, shortText, type Json } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { bytesText } from '../parts/bytes.ts';
import { decoded } from './decoded.ts';
import { Hidden } from './hidden.tsx';

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
  const value = useMemo(() => decoded(base64), [base64]);
  const text = value?.text;
  const size = value === undefined ? 'not base64' : bytesText(value.bytes);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Hidden
          text={text ?? base64}
          label={name}
          note={value !== undefined && text === undefined ? `${size}, not text` : size}
          copyLabel={text === undefined ? `${name} in base64` : name}
        />
      </dd>
    </div>
  );
}
