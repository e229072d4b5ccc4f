import { h, type ComponentType, type JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { RETRY_MS, Unreachable } from '../api/http.ts';
import { loadPart } from '../state/build.ts';
import { Failure, Loading } from './notice.tsx';
import { useReading } from './reading.ts';

interface LazyProps<P> {
  readonly load: () => Promise<ComponentType<P>>;
  readonly props?: P;
}

/** A part of the console that is loaded when it is first shown. */
export function Lazy<P extends object>({ load, props }: LazyProps<P>): JSX.Element {
  const { state, again } = useReading(async () => ({ part: await loadPart(load) }), []);
  const { value, error } = state.value;
  useEffect(() => {
    if (!(error instanceof Unreachable)) return undefined;
    const timer = setTimeout(again, RETRY_MS);
    return () => clearTimeout(timer);
  }, [error]);
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  return h(value.part, (props ?? {}) as P);
}
