import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import type { Revision } from '../api/revision.ts';
import type { AcceptedWatch } from '../registry/watch.ts';
import type { Encoder } from '../watch/frames.ts';
import type { Subscription } from '../watch/subscription.ts';
import { isPushed, type ApiResponse } from '../http/message.ts';
import { Exchange } from '../http/exchange.ts';
import { respondWatch } from './respond-watch.ts';
import { leases, testExchange, testParts } from './testing.ts';
import type { FrameSink } from '../watch/frame-sink.ts';

const target = { resource: leases(), namespace: '', name: '' };

class Fixture implements AcceptedWatch {
  encoder: Encoder | undefined;
  readonly calls: string[] = [];

  open(encoder: Encoder, sink: FrameSink): Subscription {
    this.encoder = encoder;
    sink.write(encoder.bookmark(5n as Revision, false));
    const subscription: Partial<Subscription> = {
      resume: () => void this.calls.push('resume'),
      close: () => void this.calls.push('close'),
    };
    return subscription as Subscription;
  }
}

function watch(headers: Record<string, string>, isUpgradable = false): [ApiResponse, Fixture] {
  const accepted = new Fixture();
  const exchange = testExchange({ target: '/x', headers });
  const request = isUpgradable ? { ...exchange.request, isUpgradable } : exchange.request;
  const upgradable = new Exchange(request, exchange.info, 0);
  return [respondWatch(upgradable, testParts(), target, accepted), accepted];
}

function started({ body }: ApiResponse): Buffer {
  assert.ok(isPushed(body));
  const written: Buffer[] = [];
  const sink = { write: (frame: Buffer) => written.push(frame) > 0, end: () => undefined };
  const control = body.start(sink);
  control.resume();
  control.close();
  return Buffer.concat(written);
}

describe('respondWatch', () => {
  it('is a stream of JSON lines that starts when it is read', () => {
    const [response, accepted] = watch({});
    assert.equal(response.status, 200);
    assert.deepEqual(response.headers, { 'content-type': 'application/json' });
    assert.equal(accepted.encoder, undefined);
    assert.match(started(response).toString(), /^{"type":"BOOKMARK",.*}\n$/);
    assert.deepEqual(accepted.calls, ['resume', 'close']);
  });

  it('shows what was asked for', () => {
    const as = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
    const kindOf = (accept: string): string => {
      const [response] = watch({ accept });
      const event = JSON.parse(started(response).toString()) as { object: { kind: string } };
      return event.object.kind;
    };
    assert.equal(kindOf('application/json'), 'Lease');
    assert.equal(kindOf(as('Table')), 'Table');
    assert.equal(kindOf(as('PartialObjectMetadata')), 'PartialObjectMetadata');
    for (const accept of [as('PartialObjectMetadataList'), 'application/yaml', 'image/png']) {
      assert.throws(() => watch({ accept }), ApiError);
    }
  });

  it('speaks WebSocket where it can', () => {
    const headers = {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    assert.equal(watch(headers)[0].status, 200);
    const [response] = watch(headers, true);
    assert.equal(response.status, 101);
    const frames = started(response);
    assert.equal(frames[0], 0x81);
    assert.equal(frames.subarray(4).toString('latin1', 0, 8), '{"type":');
  });
});
