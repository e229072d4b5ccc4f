import type { JSX } from 'preact';
import { getYaml } from '../api/http.ts';
import { textAt } from '../api/json.ts';
import { pathOf } from '../api/kind.ts';
import { Copy } from '../parts/copy.tsx';
import { Failure, Loading } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import type { ObjectModel } from '../state/object-model.ts';
import { YamlText } from './yaml-text.tsx';

/** The object as the server writes it in YAML: every number keeps its digits. */
export function YamlTab({
  model,
  isWhole,
  show,
}: {
  readonly model: ObjectModel;
  /** With the managed fields. */
  readonly isWhole: boolean;
  readonly show: (isWhole: boolean) => void;
}): JSX.Element {
  const { kind, namespace, name } = model;
  const revision = textAt(model.object.value, 'metadata', 'resourceVersion');
  const { state, again } = useReading(
    async (signal) => {
      const query = isWhole ? '' : '?managedFields=omit';
      const path = `${pathOf(kind, namespace, name)}${query}`;
      return getYaml(path, { signal });
    },
    [revision, isWhole],
  );
  const { value, error } = state.value;
  if (value === undefined)
    return error === undefined ? <Loading /> : <Failure error={error} retry={again} />;
  return (
    <section class="card flush">
      <div class="bar">
        <label class="check">
          <input type="checkbox" checked={isWhole} onChange={() => show(!isWhole)} />
          <span>Managed fields</span>
        </label>
        <span class="grow" />
        <Copy text={value} label="the YAML" />
      </div>
      <YamlText text={value} />
    </section>
  );
}
