import assert from 'node:assert/strict';
import { messageType } from '../../test/support/etcd-proto.ts';
import type { EtcdCallError } from './call-error.ts';
import { H2Client } from './h2-client.ts';
import { FLAG, FRAME, settingsFrame } from './http2/frames.ts';
import { HpackEncoder } from './http2/hpack-encoder.ts';
import { ScriptedPeer } from './http2/testing.ts';

const OK = new HpackEncoder().encode([{ name: ':status', value: '200' }]);
const TRAILERS = new HpackEncoder().encode([{ name: 'grpc-status', value: '0', secret: true }]);
const TIMEOUT_MS = 60_000;
const type = messageType('RangeResponse');
const answer = type.fromObject({ header: { clusterId: '7', revision: '5' }, count: 3 });
const ANSWER = Buffer.from(type.encode(answer).finish());

function message(body: Buffer, length = body.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, body]);
}

describe('answers of a member of etcd, or of what stands in between', () => {
  let peer: ScriptedPeer;
  let client: H2Client;

  beforeEach(async () => {
    peer = await ScriptedPeer.start();
    client = new H2Client(`http://127.0.0.1:${peer.port}`, {});
  });
  afterEach(async () => {
    client.close();
    await peer.close();
  });

  async function answerWith(...messages: Buffer[]): Promise<void> {
    await peer.received(FRAME.SETTINGS);
    peer.sendBytes(settingsFrame([]));
    await peer.received(FRAME.HEADERS);
    peer.send(FRAME.HEADERS, FLAG.END_HEADERS, 1, OK);
    for (const bytes of messages) peer.send(FRAME.DATA, 0, 1, bytes);
  }

  async function outcome(...messages: Buffer[]): Promise<number | string> {
    const request = { key: Buffer.from('a'), limit: 1 };
    const called = client.call('range', request, { timeoutMs: TIMEOUT_MS }).then(
      ({ count }) => count,
      (error: unknown) => (error as EtcdCallError).failure,
    );
    await answerWith(...messages);
    peer.send(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 1, TRAILERS);
    return called;
  }

  it('count when they have one message', async () => {
    assert.equal(await outcome(message(ANSWER)), 3);
  });

  it('are lost when they have two', async () => {
    assert.equal(await outcome(message(ANSWER), message(ANSWER)), 'lost');
  });

  it('are lost when they are of no cluster, and not an empty store', async () => {
    assert.equal(await outcome(message(Buffer.alloc(0))), 'lost');
  });

  it('are too large from the moment in which their length is known', async () => {
    assert.equal(await outcome(message(Buffer.alloc(1), 0xffff_ffff)), 'answerTooLarge');
  });

  it('are lost on a watch when they are too large, before they have come', async () => {
    const ended = new Promise<EtcdCallError>((resolve) => {
      const onResponse = (): void => assert.fail('a response');
      const onEnd = (error: Error): void => resolve(error as EtcdCallError);
      client.watch({ onResponse, onEnd }, undefined).send({ progress: true });
    });
    await answerWith(message(Buffer.alloc(1), 0xffff_ffff));
    assert.equal((await ended).failure, 'lost');
  });
});
