import assert from 'node:assert/strict';
import { TestEtcd } from '../support/etcd.ts';
import { install } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';

const MIB = 1024 * 1024;
/** Bytes of the object, and the code that it is answered with; see docs/limits.md. */
const SIZES = [
  [1, 201],
  [1.4, 201],
  [1.6, 413],
  [2.9, 413],
  [3.1, 413],
  [10, 413],
] as const;

function text(name: string, bytes: number): object {
  const [apiVersion, kind] = ['test.example.com/v1', 'Text'];
  return { apiVersion, kind, metadata: { name }, spec: { text: 'x'.repeat(bytes) } };
}

describe('G21: objects that are too large are refused with 413', () => {
  for (const kind of ['embedded', 'etcd'] as const) {
    it(`on the ${kind} store, by every verb, and the server goes on`, async () => {
      const etcd = kind === 'etcd' ? await TestEtcd.start() : undefined;
      const plinth = await Plinth.start({
        args: etcd === undefined ? [] : ['--etcd-servers', etcd.url],
      });
      try {
        const texts = await install(plinth, { plural: 'texts', kind: 'Text' });
        for (const [mib, code] of SIZES) {
          const { status, json } = await plinth.send('POST', texts, text(`l${mib}`, mib * MIB));
          assert.equal(status, code, `${mib} MiB: ${JSON.stringify(json).slice(0, 300)}`);
          if (code === 413) assert.equal(json.reason, 'RequestEntityTooLarge');
        }
        const small = `${texts}/grows`;
        assert.equal((await plinth.send('POST', texts, text('grows', 10))).status, 201);
        const large: any = text('grows', 1.6 * MIB);
        large.metadata.resourceVersion = (await plinth.get(small)).json.metadata.resourceVersion;
        const patch = { 'content-type': 'application/merge-patch+json' };
        for (const reply of [
          await plinth.send('PUT', small, large),
          await plinth.send('PATCH', small, large, patch),
        ]) {
          assert.equal(reply.status, 413);
          assert.equal(reply.json.kind, 'Status');
        }
        const { json } = await plinth.get(small);
        assert.equal(json.spec.text.length, 10, 'it is what it was');
      } finally {
        await plinth.dispose();
        await etcd?.dispose();
      }
    });
  }
});
