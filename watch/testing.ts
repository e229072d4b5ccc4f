import { encodeStored } from '../storage/stored-bytes.ts';
import type { Revision } from '../api/revision.ts';
import { type Encoder, eventFrame } from './frames.ts';
import type { FrameSink } from './frame-sink.ts';

/** Pieces that tests of this room share. */

/** Stored bytes of a small object. */
export function storedObject(name: string, labels: Record<string, string> = {}, n = 0): Buffer {
  return encodeStored({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name, uid: `uid-${name}`, labels },
    n,
  });
}

export interface SeenEvent {
  type: string;
  name: string;
  revision: string;
  labels: Record<string, string>;
}

/** The plain JSON representation. */
export const plainEncoder: Encoder = {
  id: 'plain',
  event: (type, entry) => eventFrame(type, entry.bytes),
  bookmark: (revision: Revision, initialEventsEnd: boolean) =>
    eventFrame(
      'BOOKMARK',
      Buffer.from(
        JSON.stringify({
          metadata: {
            resourceVersion: String(revision),
            name: initialEventsEnd ? 'end' : '',
          },
        }),
      ),
    ),
};

/** Collects frames; can be told to be full after each write. */
export class CollectingSink implements FrameSink {
  text = '';
  ended = false;
  /** How many more writes are taken before the sink says it is full. */
  room = Infinity;

  write(frame: Buffer): boolean {
    this.text += frame.toString();
    return --this.room > 0;
  }

  end(): void {
    this.ended = true;
  }

  events(): SeenEvent[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { type, object } = JSON.parse(line) as {
          type: string;
          object: {
            metadata: { name?: string; resourceVersion?: string; labels?: Record<string, string> };
            code?: number;
          };
        };
        const { name = '', resourceVersion = '', labels = {} } = object.metadata;
        return {
          type: object.code === undefined ? type : `${type} ${object.code}`,
          name,
          revision: resourceVersion,
          labels,
        };
      });
  }
}
