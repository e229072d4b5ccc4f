import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../../client/client.ts';
import { LiveStream } from '../../client/stream/live.ts';
import type { LiveEvent } from '../../client/stream/subscription.ts';
import { Seeded } from '../support/seeded.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { Cables } from './real-transport.ts';

const TOKEN = 'token-of-the-client-0123456789';
const REF = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' };
const PATH = '/api/v1/namespaces/default/configmaps';
const NAMES = ['a', 'b', 'c', 'd'];
const WRITES = 120;

for (const form of ['WebSocket', 'POST'] as const) {
  describe(`the client's stream over a ${form}, to a server`, () => {
    let plinth: Plinth;
    let cables: Cables;
    let live: LiveStream;
    beforeEach(async function () {
      const tokens = join(mkdtempSync(join(tmpdir(), 'plinth-client-')), 'tokens.csv');
      writeFileSync(tokens, `${TOKEN},ann,ann,system:masters\n`);
      // only where a test is about it: without a history, a state takes the place of events
      const isForgetful = this.currentTest?.title.includes('history is gone') === true;
      const interval = isForgetful ? ['--etcd-compaction-interval', '1'] : [];
      plinth = await Plinth.start({ args: ['--token-auth-file', tokens, ...interval] });
      cables = new Cables();
      const client = new ApiClient({
        ...{ baseUrl: plinth.url, token: () => TOKEN, fetch: cables.fetch },
      });
      live = new LiveStream(
        form === 'POST' ? { client } : { client, openSocket: cables.openSocket },
      );
    });
    afterEach(async () => {
      live.close();
      cables.cut();
      await plinth.dispose();
    });

    /** Writes one of a few objects; answers the event that follows from it. */
    async function write(random: Seeded, present: Set<string>): Promise<string> {
      const name = NAMES[random.below(NAMES.length)]!;
      const isThere = present.has(name);
      const isDeleted = isThere && random.next() < 0.3;
      const data = { at: String(random.next()) };
      const path = `${PATH}/${name}`;
      if (!isThere) {
        const { json } = await plinth.send('POST', PATH, { metadata: { name }, data });
        present.add(name);
        return `ADDED ${name}@${json.metadata.resourceVersion}`;
      }
      if (isDeleted) {
        await plinth.send('DELETE', path);
        present.delete(name);
        return `DELETED ${name}`;
      }
      const { json } = await plinth.send('PUT', path, { metadata: { name }, data });
      return `MODIFIED ${name}@${json.metadata.resourceVersion}`;
    }

    it('loses no event and repeats none over cuts and two SIGKILLs', async () => {
      const random = new Seeded(27);
      const seen: string[] = [];
      let isSynced = false;
      live.subscribe({ ref: REF }, (event) => {
        if (event.type === 'SYNCED') isSynced = true;
        else seen.push(textOf(event));
      });
      await eventually(() => isSynced, 'the state has come');
      assert.deepEqual(seen.splice(0), ['RESET']);
      const present = new Set<string>();
      const wanted: string[] = [];
      for (let i = 1; i <= WRITES; i++) {
        wanted.push(await write(random, present));
        if (random.next() < 0.1) cables.cut();
        if (random.next() < 0.1) cables.isDown = !cables.isDown;
        if (i % 50 === 0) {
          await plinth.stop('SIGKILL');
          await plinth.start();
        }
      }
      cables.isDown = false;
      await eventually(() => seen.length >= wanted.length, 'all events have come').catch(() =>
        assert.deepEqual(seen, wanted),
      );
      // one more, behind which a repeated one would stand
      wanted.push(await write(random, present));
      await eventually(() => seen.length >= wanted.length, 'the last has come');
      assert.deepEqual(seen, wanted);
      assert.ok(cables.opened > 2, `${cables.opened} connections`);
    });

    it('starts again from the state where the history is gone, and says so', async () => {
      const held = new Map<string, string>();
      let resets = 0;
      const hear = (event: LiveEvent): void => {
        if (event.type === 'RESET') {
          resets++;
          held.clear();
        } else if ('object' in event) {
          const { name = '', resourceVersion = '' } = event.object.metadata;
          if (event.type === 'DELETED') held.delete(name);
          else held.set(name, resourceVersion);
        }
      };
      const { json: from } = await plinth.get(PATH);
      const over: string[] = [];
      live.subscribe({ ref: REF }, hear);
      live.subscribe({ ref: REF, from: from.metadata.resourceVersion }, ({ type }) => {
        if (type !== 'SYNCED') over.push(type);
      });
      await eventually(() => held.size === from.items.length && resets > 0, 'state');
      const { resourceVersion } = (await plinth.get(PATH)).json.metadata;
      const before = resets;
      cables.isDown = true;
      cables.cut();
      await plinth.send('POST', PATH, { metadata: { name: 'missed' } });
      await eventually(async () => {
        await plinth.send('PUT', `${PATH}/missed`, {
          ...{ metadata: { name: 'missed' }, data: { at: String(performance.now()) } },
        });
        await plinth.stop();
        await plinth.start();
        const query = `watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
        return /"code":410/.test((await plinth.get(`${PATH}?${query}`)).text);
      }, `the history after ${resourceVersion} is gone`);
      cables.isDown = false;
      await eventually(() => held.has('missed'), 'the state comes again');
      const { json } = await plinth.get(PATH);
      assert.deepEqual(
        Object.fromEntries(held),
        Object.fromEntries(
          (json.items as { metadata: { name: string; resourceVersion: string } }[]).map(
            ({ metadata }) => [metadata.name, metadata.resourceVersion],
          ),
        ),
      );
      assert.ok(resets > before, 'a RESET came first');
      assert.deepEqual(over, ['EXPIRED']);
    });
  });
}

/** The revision of a deletion is not in the answer to it: its name says enough. */
function textOf(event: LiveEvent): string {
  if (!('object' in event)) return event.type;
  const { name, resourceVersion } = event.object.metadata;
  return event.type === 'DELETED' ? `DELETED ${name}` : `${event.type} ${name}@${resourceVersion}`;
}
