import type { Clock } from '../../api/clock.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { ProtobufWriter } from '../../api/protobuf/writer.ts';
import { atOnce, inTurns } from '../../api/steps.ts';
import { Turn } from '../../api/turn.ts';
import { ListMeta } from '../../schema/object-meta.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { SlabWriter } from '../slab-writer.ts';
import { enveloped, itemSteps } from './document.ts';
import { messageSteps } from './encode.ts';
import { ENVELOPE } from './envelope.ts';

/** A list that is to be written, and where its items come from. */
interface ListToWrite<T> {
  /** The list without its items: apiVersion, kind, metadata. */
  readonly fields: JsonObject;
  readonly schema: StructuralSchema;
  readonly chunks: AsyncIterable<readonly T[]>;
  /** The finished JSON of an item; the same whenever it is asked for. */
  readonly jsonOf: (item: T) => Buffer | Promise<Buffer>;
  readonly clock: Clock;
}

const LIST = { METADATA: 1, ITEMS: 2 } as const;

/** Messages up to so many bytes together are kept until they are sent; later ones are made again. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** Room for the head of an item. */
const HEAD_BYTES = 12;
/** Room for the metadata and the type of a list. */
const LIST_HEAD_BYTES = 512;

/**
 * A list as pieces of about a slab. Its length stands before its items, so they
 * are counted first: what does not fit into {@link MAX_KEPT_BYTES} is made twice,
 * and never held as a whole.
 */
export async function* listDocument<T>(list: ListToWrite<T>): AsyncGenerator<Buffer, void> {
  // one item may take long
  const turn = new Turn(list.clock, 1);
  const items: T[] = [];
  const kept: Buffer[] = [];
  let total = 0;
  for await (const chunk of list.chunks) {
    for (const item of chunk) {
      const message = await messageOf(list, item);
      total += message.length;
      items.push(item);
      if (total <= MAX_KEPT_BYTES) kept.push(message);
      if (turn.over()) await turn.next();
    }
  }
  const slabs = new SlabWriter();
  slabs.bytes(headOf(list.fields, total));
  let left = total;
  for (const [index, item] of items.entries()) {
    const message = kept[index] ?? (await messageOf(list, item));
    left -= message.length;
    if (left < 0) break;
    slabs.bytes(message);
    if (slabs.hasFull) yield* slabs.takeFull();
    if (turn.over()) await turn.next();
  }
  if (left !== 0) throw new Error('the items of a list have changed while it was written');
  yield* slabs.takeRest();
}

/** An item behind its number and length. */
async function messageOf<T>(
  { schema, jsonOf }: Pick<ListToWrite<T>, 'schema' | 'jsonOf'>,
  item: T,
): Promise<Buffer> {
  const message = await inTurns(itemSteps(await jsonOf(item), schema));
  const head = new ProtobufWriter(HEAD_BYTES);
  head.length(LIST.ITEMS, message.length);
  return Buffer.concat([head.finish(), message]);
}

/** What stands before items of so many bytes. */
function headOf(fields: JsonObject, itemBytes: number): Buffer {
  const writer = new ProtobufWriter(LIST_HEAD_BYTES);
  const metadata = fields['metadata'];
  atOnce(messageSteps(writer, ListMeta, isObject(metadata) ? metadata : {}));
  writer.message(LIST.METADATA, 0);
  writer.length(ENVELOPE.RAW, writer.mark() + itemBytes);
  return enveloped(writer, fields);
}
