import { getPath } from '../api/json.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { jsonEnvelope } from './list-envelope.ts';
import { tableForm, type TableForm } from './list-form.ts';
import { metadataWithoutManagers } from '../storage/metadata-range.ts';
import { SlabWriter } from './slab-writer.ts';

/** A table with one row, under the object's own revision. */
export function tableOfOne(resource: ServedResource, bytes: Buffer, table: TableForm): Buffer {
  const revision = getPath(metadataWithoutManagers(bytes), 'resourceVersion');
  const { head, write } = tableForm(resource, table, {
    revision: typeof revision === 'string' ? revision : undefined,
    continueToken: '',
    remaining: undefined,
  });
  const envelope = jsonEnvelope(head);
  const slabs = new SlabWriter();
  slabs.text(envelope.open);
  write(slabs, bytes);
  slabs.text(envelope.close.trimEnd());
  return Buffer.concat(slabs.takeRest());
}
