import assert from 'node:assert/strict';
import { connect, type ClientHttp2Session } from 'node:http2';
import { eventually, Plinth } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

const CONNECTIONS = 20;
const REQUESTS = 500;
const WATCHES = 250;

async function openWatches(plinth: Plinth): Promise<number> {
  const { text } = await plinth.get('/metrics');
  const lines = text.match(/^apiserver_longrunning_requests\{.*\} \d+$/gm) ?? [];
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** The status of each answer to so many requests for health. */
function healthChecks(session: ClientHttp2Session): Promise<unknown[]> {
  return Promise.all(
    Array.from({ length: REQUESTS }, async () => {
      const stream = session.request({ ':path': '/healthz' });
      let status: unknown;
      stream.on('response', (head) => (status = head[':status']));
      stream.resume();
      await new Promise((resolve) => stream.once('close', resolve));
      return status;
    }),
  );
}

describe('many streams on HTTP/2 connections', function () {
  const turns = new Turns();
  let plinth: Plinth;
  const sessions: ClientHttp2Session[] = [];

  before(async () => {
    const args = ['--max-long-running-requests', String(2 * CONNECTIONS * WATCHES)];
    plinth = await Plinth.start({ args, nodeArgs: turns.nodeArgs });
  });
  afterEach(() => {
    for (const session of sessions.splice(0)) session.destroy();
  });
  after(() => plinth.dispose());

  async function open(tls: object): Promise<void> {
    const session = connect(plinth.url, tls);
    session.on('error', () => undefined);
    await new Promise((resolve) => session.once('connect', resolve));
    sessions.push(session);
  }

  it('of health checks without credentials are answered with 200, in short turns, and not logged', async () => {
    for (let i = 0; i < CONNECTIONS; i++) await open({ rejectUnauthorized: false });
    const statuses = new Set<unknown>();
    await turns.areShortDuring(async () => {
      for (const each of await Promise.all(sessions.map(healthChecks))) {
        for (const status of each) statuses.add(status);
      }
    });
    assert.deepEqual([...statuses], [200]);
    assert.equal(plinth.output.trim().split('\n').length, 1, 'only the line of the start');
  });

  it('that end together leave no watch behind', async () => {
    const before = await openWatches(plinth);
    for (let i = 0; i < CONNECTIONS; i++) await open(plinth.tls);
    for (const session of sessions) {
      for (let i = 0; i < WATCHES; i++) {
        const stream = session.request({ ':path': '/api/v1/configmaps?watch=1' });
        stream.on('error', () => undefined).resume();
      }
    }
    const all = before + CONNECTIONS * WATCHES;
    await eventually(async () => (await openWatches(plinth)) === all, 'all watches');
    for (const session of sessions.splice(0)) session.destroy();
    await eventually(async () => (await openWatches(plinth)) === before, 'none is left');
  });
});
