import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { parseExact } from '../../client/exact.ts';
import { getJson, Refused, send, sentenceOf } from '../api/http.ts';
import { at, textAt, type Json } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { say } from '../parts/announce.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { may } from '../state/rights.ts';
import { scalePath, useScale } from './use-scale.ts';

interface ScaleProps {
  readonly kind: Kind;
  readonly object: Json;
}

const [BAD_REQUEST, NOT_FOUND, CONFLICT] = [400, 404, 409];
/** The most that a scale takes. */
const MOST_REPLICAS = 2 ** 31 - 1;
/** Tries to write while others change other parts of the object. */
const MOST_TRIES = 5;

/** How many replicas there are and are wanted, with a way to want others for those who may. */
export function Scale({ kind, object }: ScaleProps): JSX.Element | null {
  const [namespace, name] = ['namespace', 'name'].map((key) => textAt(object, 'metadata', key));
  const isThere = kind.subresources.includes('scale') && may('get', kind, namespace, name, 'scale');
  return isThere ? <ScaleCard kind={kind} object={object} /> : null;
}

function ScaleCard({ kind, object }: ScaleProps): JSX.Element | null {
  const { state, take } = useScale(kind, object);
  const { scale, error } = state.value;
  const code = error instanceof Refused ? error.code : 0;
  if ((scale === undefined && error === undefined) || code === NOT_FOUND) return null;
  const [namespace, name] = ['namespace', 'name'].map((key) => textAt(object, 'metadata', key));
  return (
    <section class="card" aria-label="Scale">
      <h2>Scale</h2>
      {scale === undefined ? (
        <p class="dim">{sentenceOf(error)}</p>
      ) : (
        <dl class="fields">
          <div>
            <dt>Current</dt>
            <dd>{Number(at(scale, 'status', 'replicas') ?? 0)}</dd>
          </div>
          <div>
            <dt>Wanted</dt>
            <dd>{wantedOf(scale)}</dd>
          </div>
        </dl>
      )}
      {(scale !== undefined || code === BAD_REQUEST) &&
        may('patch', kind, namespace, name, 'scale') && (
          <ScaleForm path={scalePath(kind, object)} scale={scale} {...{ name, take }} />
        )}
    </section>
  );
}

interface FormProps {
  readonly path: string;
  /** Undefined: the object does not say how many it wants. */
  readonly scale: Json | undefined;
  readonly name: string | undefined;
  readonly take: (scale: Json) => void;
}

function ScaleForm({ path, scale, name, take }: FormProps): JSX.Element {
  /** Undefined: the field shows what is wanted. */
  const typed = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const error = useSignal('');
  const text = typed.value ?? (scale === undefined ? '' : String(wantedOf(scale)));
  const apply = async (): Promise<void> => {
    isBusy.value = true;
    error.value = '';
    try {
      const next = await write(path, scale, Number(text));
      take(next.scale);
      if (next.isChanged) {
        error.value = `Meanwhile ${wantedOf(next.scale)} are wanted. Apply again to want ${text} all the same.`;
      } else {
        typed.value = undefined;
        say(`Scaled ${name} to ${text}`);
      }
    } catch (failure) {
      error.value = sentenceOf(failure);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <div class="scale">
        <label>
          Replicas
          <input
            type="number"
            required
            {...{ min: 0, max: MOST_REPLICAS, step: 1, value: text }}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
        <BusyButton type="submit" class="primary" isBusy={isBusy.value}>
          {isBusy.value ? 'Applying…' : 'Apply'}
        </BusyButton>
      </div>
      {error.value !== '' && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
    </form>
  );
}

function wantedOf(scale: Json): number {
  return Number(at(scale, 'spec', 'replicas') ?? 0);
}

/**
 * Sets the replicas of the object that `seen` shows. Another change of the object
 * does not matter; another wish for replicas is left, and is the answer.
 *
 * @throws Refused, Unreachable
 */
async function write(
  path: string,
  seen: Json | undefined,
  replicas: number,
): Promise<{ readonly scale: Json; readonly isChanged: boolean }> {
  let latest = seen;
  for (let tries = 1; ; tries++) {
    const [uid, resourceVersion] = ['uid', 'resourceVersion'].map((key) =>
      textAt(latest, 'metadata', key),
    );
    const metadata = latest === undefined ? {} : { metadata: { uid, resourceVersion } };
    try {
      const { text } = await send('PATCH', `${path}?fieldManager=plinth-console`, {
        type: 'application/merge-patch+json',
        body: JSON.stringify({ ...metadata, spec: { replicas } }),
      });
      return { scale: parseExact(text) as Json, isChanged: false };
    } catch (error) {
      const isStale = error instanceof Refused && error.code === CONFLICT;
      if (!isStale || tries === MOST_TRIES) throw error;
      latest = await getJson(path);
      const isOther = textAt(latest, 'metadata', 'uid') !== uid;
      if (isOther || seen === undefined || wantedOf(latest) !== wantedOf(seen))
        return { scale: latest, isChanged: true };
    }
  }
}
