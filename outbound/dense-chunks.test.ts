import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { paceChunks } from './dense-chunks.ts';

const DENSE_CHUNKS = 512;
const DENSE_READS_PER_TURN = 2;
const MESSAGES = 6;

describe('answers of other servers in very many chunks', () => {
  class Message extends IncomingMessage {
    reads = 0;
    override _read(): void {
      this.reads++;
    }
  }
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  function paced(chunks: number): { message: Message; hasRoom: boolean } {
    const message = new Message(new Socket());
    paceChunks(message);
    let hasRoom = true;
    for (let i = 0; i < chunks; i++) hasRoom = message.push('x');
    message.on('readable', () => message.read());
    return { message, hasRoom };
  }

  it('are read on a few in each turn of the event loop', async () => {
    const all = Array.from({ length: MESSAGES }, () => paced(DENSE_CHUNKS));
    assert.ok(all.every(({ hasRoom }) => !hasRoom));
    const read = (): number => all.reduce((sum, { message }) => sum + message.reads, 0);
    const seen: number[] = [];
    for (let before = 0; read() < MESSAGES; before = read()) {
      await nextTurn();
      seen.push(read() - before);
    }
    assert.ok(Math.max(...seen) <= 2 * DENSE_READS_PER_TURN, `${seen.join(', ')} in each turn`);
  });

  it('others do not wait', async () => {
    const all = Array.from({ length: MESSAGES }, () => paced(DENSE_CHUNKS - 1));
    assert.ok(all.every(({ hasRoom }) => hasRoom));
    await nextTurn();
    assert.ok(all.every(({ message }) => message.reads === 1));
  });
});
