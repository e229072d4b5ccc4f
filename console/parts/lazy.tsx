import { h, type ComponentType, type JSX } from 'preact';
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
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  return h(value.part, (props ?? {}) as P);
}
