import { getPath } from '../api/json.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { jsonEnvelope } from './list-envelope.ts';
import { tableForm, type TableForm } from './list-form.ts';
import { metadataOf } from './object-bytes.ts';
import { SlabWriter } from './slab-writer.ts';

/** A table with one row, under the object's own revision. */
export function tableOfOne(resource: ServedResource, bytes: Buffer, table: TableForm): Buffer {
  const metadata = parseStoredJson(metadataOf(bytes));
  const revision = getPath(metadata, 'resourceVersion');
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
