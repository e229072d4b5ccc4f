import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { errorOf, getJson, Unreachable } from '../api/http.ts';
import { textAt, type Json } from '../api/json.ts';
import { pathOf, type Kind } from '../api/kind.ts';

/** Least time between two readings, for an object that changes all the time. */
const PAUSE_MS = 500;

/** The scale of an object, or why it cannot be shown. */
interface ScaleState {
  readonly scale?: Json | undefined;
  readonly error?: Error | undefined;
}

/** The path of the scale of an object. */
export function scalePath(kind: Kind, object: Json): string {
  const [namespace, name] = [at(object, 'namespace'), at(object, 'name')];
  return pathOf(kind, namespace, name, 'scale');
}

const at = (object: Json, key: string): string => textAt(object, 'metadata', key);

/** The scale of an object that is followed: read again when the object changes. */
export function useScale(
  kind: Kind,
  object: Json,
): { readonly state: ReadonlySignal<ScaleState>; readonly take: (scale: Json) => void } {
  const state = useSignal<ScaleState>({});
  const path = scalePath(kind, object);
  const wanted = useRef('');
  const isReading = useRef(false);
  const isOver = useRef(false);
  wanted.current = `${path} ${at(object, 'resourceVersion')}`;
  const follow = async (): Promise<void> => {
    if (isReading.current) return;
    isReading.current = true;
    for (let read = ''; read !== wanted.current && !isOver.current;) {
      read = wanted.current;
      const [from = ''] = read.split(' ');
      state.value = await getJson(from).then(
        (scale) => ({ scale }),
        // what was shown stays while the server is away
        (error: unknown) =>
          error instanceof Unreachable ? state.value : { error: errorOf(error) },
      );
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    isReading.current = false;
  };
  useEffect(() => void follow(), [wanted.current]);
  useEffect(() => () => void (isOver.current = true), []);
  return { state, take: (scale) => (state.value = { scale }) };
}
