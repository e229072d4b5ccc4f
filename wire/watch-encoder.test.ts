import assert from 'node:assert/strict';
import { systemClock } from '../api/clock.ts';
import { getPath, type JsonObject, type JsonValue } from '../api/json.ts';
import type { Revision } from '../api/revision.ts';
import { noneConverter } from '../registry/conversion.ts';
import { Views } from '../registry/views.ts';
import { entryOf, gadgets, leases } from './testing.ts';
import { ObjectEncoder, partialEncoder, TableEncoder } from './watch-encoder.ts';

const REVISION = 9n as Revision;

describe('ObjectEncoder', () => {
  const views = new Views(noneConverter);

  it('frames the finished bytes', () => {
    const resource = leases();
    const entry = entryOf(resource, 'a', 5n);
    const frame = new ObjectEncoder(resource, views).event('ADDED', entry) as Buffer;
    assert.equal(frame.toString(), `{"type":"ADDED","object":${entry.bytes.toString()}}\n`);
  });

  it('shows bookmarks with type and revision only', () => {
    const frame = new ObjectEncoder(gadgets(), views).bookmark(REVISION, false);
    assert.equal(
      frame.toString(),
      '{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"resourceVersion":"9"}}}\n',
    );
  });

  it('marks the end of the initial events', () => {
    const frame = new ObjectEncoder(gadgets(), views).bookmark(REVISION, true);
    assert.match(
      frame.toString(),
      /"metadata":\{"annotations":\{"k8s.io\/initial-events-end":"true"\},"resourceVersion":"9"\}/,
    );
  });

  it('adds what a built-in kind never leaves out', () => {
    const frame = new ObjectEncoder(leases(), views).bookmark(REVISION, false);
    assert.equal(
      frame.toString(),
      '{"type":"BOOKMARK","object":{"apiVersion":"coordination.cluster.io/v1","kind":"Lease","metadata":{"resourceVersion":"9"},"spec":{}}}\n',
    );
  });

  it('is shared by streams of one version only', () => {
    const [one, other] = [leases(), leases()];
    assert.equal(new ObjectEncoder(one, views).id, new ObjectEncoder(one, views).id);
    assert.notEqual(new ObjectEncoder(one, views).id, new ObjectEncoder(other, views).id);
  });
});

describe('streams', () => {
  const views = new Views(noneConverter);
  const conversion = { kind: 'Table', apiVersion: 'meta.cluster.io/v1' } as const;
  const objectOf = (frame: Buffer | Promise<Buffer>): JsonObject => {
    assert.ok(Buffer.isBuffer(frame) && frame.at(-1) === 0x0a);
    return (JSON.parse(frame.toString()) as { object: JsonObject }).object;
  };

  it('of tables describe the columns once, and are shared from then on', () => {
    const resource = gadgets();
    const open = (): TableEncoder =>
      new TableEncoder(resource, views, { conversion, include: 'Metadata', clock: systemClock });
    const encoder = open();
    const entry = entryOf(resource, 'a', 3n);
    assert.equal(encoder.id, undefined);
    const first = objectOf(encoder.event('ADDED', entry));
    assert.equal((first.columnDefinitions as JsonValue[]).length, 2);
    assert.deepEqual(first.metadata, { resourceVersion: '3' });
    const { id } = encoder;
    assert.notEqual(id, undefined);
    assert.equal(objectOf(encoder.event('MODIFIED', entry)).columnDefinitions, null);
    const other = open();
    other.bookmark(REVISION, false);
    assert.equal(other.id, id);
  });

  it('of tables have rows in their bookmarks', () => {
    const bookmark = (include: 'None' | 'Metadata' | 'Object', end: boolean): JsonObject => {
      const encoder = new TableEncoder(gadgets(), views, {
        conversion,
        include,
        clock: systemClock,
      });
      return objectOf(encoder.bookmark(REVISION, end));
    };
    const ended = bookmark('None', true);
    assert.equal((ended.columnDefinitions as JsonValue[]).length, 2);
    assert.deepEqual(ended.rows, [
      {
        cells: ['', '<unknown>'],
        object: {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.cluster.io/v1',
          metadata: {
            annotations: { 'k8s.io/initial-events-end': 'true' },
            resourceVersion: '9',
          },
        },
      },
    ]);
    assert.equal(getPath((bookmark('None', false).rows as JsonValue[])[0], 'object'), null);
    assert.deepEqual(getPath((bookmark('Object', false).rows as JsonValue[])[0], 'object'), {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { resourceVersion: '9' },
    });
  });

  it('of metadata show nothing else', () => {
    const resource = gadgets();
    const encoder = partialEncoder(resource, views, {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
    });
    const entry = entryOf(resource, 'a', 3n, { spec: { size: 1 } });
    assert.deepEqual(objectOf(encoder.event('ADDED', entry)), {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: entry.object().metadata,
    });
    assert.deepEqual(objectOf(encoder.bookmark(REVISION, false)), {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9' },
    });
  });
});
