import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { lease } from '../support/admission-webhook.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const GROUPS = ['coordination.cluster.io', 'coordination.k8s.io'] as const;

/** The part of the matrix of checks, names and verbs that needs objects to come and go. */
describe('what objects cause does not depend on the name of their group', function () {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  const send = async (method: string, path: string, body?: unknown): Promise<any> => {
    const { status, json, text } = await plinth.send(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return json;
  };
  const leases = (group: string, namespace: string): string =>
    `/apis/${group}/v1/namespaces/${namespace}/leases`;

  it('quotas: places are counted and refused by either name, in every way to create', async () => {
    for (const [i, named] of GROUPS.entries()) {
      const namespace = `quota-${i}`;
      const key = `count/leases.${named}`;
      await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
      const quota = `/api/v1/namespaces/${namespace}/resourcequotas`;
      await send('POST', quota, { metadata: { name: 'one' }, spec: { hard: { [key]: '1' } } });
      const shown = async (): Promise<any> => (await send('GET', `${quota}/one`)).status;
      const counts = (used: string) => async () => (await shown()).used?.[key] === used;
      await eventually(counts('0'), `${key} is in force`);
      for (const first of GROUPS) {
        await send('POST', leases(first, namespace), written(first, { name: 'first' }));
        await eventually(counts('1'), `${first} is counted as ${key}`);
        for (const asked of GROUPS) {
          for (const [way, reply] of Object.entries(await createInEveryWay(asked, namespace))) {
            assert.equal(reply.status, 403, `${named} ${asked} ${way}: ${reply.text}`);
            assert.match(reply.text, /exceeded quota/);
          }
        }
        await send('DELETE', `${leases(first, namespace)}/first`);
        await eventually(counts('0'), 'the place is free');
      }
    }
  });

  const written = (group: string, metadata: object): object => ({
    ...lease(metadata),
    apiVersion: `${group}/v1`,
  });
  const createInEveryWay = async (
    group: string,
    namespace: string,
  ): Promise<Record<string, Reply>> => {
    const path = leases(group, namespace);
    const applied = written(group, { name: 'applied' });
    const type = { 'content-type': 'application/apply-patch+yaml' };
    return {
      named: await plinth.send('POST', path, written(group, { name: 'second' })),
      generated: await plinth.send('POST', path, written(group, { generateName: 'one-of-' })),
      'dry run': await plinth.send('POST', `${path}?dryRun=All`, written(group, { name: 'dry' })),
      applied: await plinth.send('PATCH', `${path}/applied?fieldManager=m`, applied, type),
    };
  };

  it('owners: dependents go or stay, whichever name the owner, its reference and its delete have', async () => {
    let number = 0;
    for (const made of GROUPS) {
      for (const named of GROUPS) {
        for (const asked of GROUPS) {
          for (const verb of ['delete', 'deletecollection']) {
            for (const propagation of ['Background', 'Foreground', 'Orphan']) {
              const name = `owner-${number++}`;
              await dependsOn(name, made, named);
              const path = leases(asked, 'default');
              const query = `propagationPolicy=${propagation}`;
              await (verb === 'delete'
                ? send('DELETE', `${path}/${name}?${query}`)
                : send('DELETE', `${path}?labelSelector=owner%3D${name}&${query}`));
              const what = `${made} ${named} ${asked} ${verb} ${propagation}`;
              await eventually(() => isOver(name, propagation), what);
            }
          }
        }
      }
    }
  });

  /** An owner made by one name, and a ConfigMap that names it by another. */
  const dependsOn = async (name: string, made: string, named: string): Promise<void> => {
    const owner = written(made, { name, labels: { owner: name } });
    const { uid } = (await send('POST', leases(made, 'default'), owner)).metadata;
    const reference = { apiVersion: `${named}/v1`, kind: 'Lease', name, uid };
    const metadata = { name, ownerReferences: [{ ...reference, blockOwnerDeletion: true }] };
    const map = await send('POST', '/api/v1/namespaces/default/configmaps', { metadata });
    assert.equal(map.metadata.ownerReferences[0].apiVersion, `${named}/v1`);
  };
  /** The owner has gone; its dependent, too, or it has no owner. */
  const isOver = async (name: string, propagation: string): Promise<boolean> => {
    const owner = await plinth.get(`${leases(GROUPS[0], 'default')}/${name}`);
    const map = await plinth.get(`/api/v1/namespaces/default/configmaps/${name}`);
    if (owner.status !== 404) return false;
    if (propagation !== 'Orphan') return map.status === 404;
    return map.status === 200 && map.json.metadata.ownerReferences === undefined;
  };
});
