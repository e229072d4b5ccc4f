import { ProtobufWriter } from '../../api/protobuf/writer.ts';

const EVENT = { TYPE: 1, OBJECT: 2 } as const;
/** The only field of an object inside of another: its document. */
const DOCUMENT = 1;
/** Before each event stands its length. */
const LENGTH_BYTES = 4;
const HEAD_BYTES = 32;

/** The frame of an event around the document of its object. */
export function protobufFrame(type: string, document: Buffer): Buffer {
  const writer = new ProtobufWriter(document.length + HEAD_BYTES);
  writer.bytes(DOCUMENT, document);
  writer.message(EVENT.OBJECT, 0);
  writer.text(EVENT.TYPE, type);
  const event = writer.finish();
  const frame = Buffer.allocUnsafeSlow(LENGTH_BYTES + event.length);
  frame.writeUInt32BE(event.length);
  event.copy(frame, LENGTH_BYTES);
  return frame;
}
