import type { JSX } from 'preact';
import { Failure, Loading } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import type { ObjectModel } from '../state/object-model.ts';

/** The editor; it is loaded when it is opened. */
export function EditTab({
  model,
  leave,
}: {
  readonly model: ObjectModel;
  readonly leave: () => void;
}): JSX.Element {
  const { state, again } = useReading(async () => {
    const { Edit } = await import('../editor/edit.tsx');
    return { Edit };
  }, []);
  const { value, error } = state.value;
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  return <value.Edit model={model} leave={leave} />;
}
