import type { JSX } from 'preact';
import { Lazy } from '../parts/lazy.tsx';
import type { ObjectModel } from '../state/object-model.ts';

/** The editor; it is loaded when it is opened. */
export function EditTab(props: {
  readonly model: ObjectModel;
  readonly leave: () => void;
}): JSX.Element {
  return (
    <Lazy
      load={async () => {
        const { Edit } = await import('../editor/edit.tsx');
        return Edit;
      }}
      props={props}
    />
  );
}
