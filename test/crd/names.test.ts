import assert from 'node:assert/strict';
import { crd, CRDS, install, type Definition } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const GROUP = 'names.example.com';

describe('the names of custom resources', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
    await install(plinth, {
      plural: 'widgets',
      kind: 'Widget',
      group: GROUP,
      names: { shortNames: ['wd'], singular: 'widget', categories: ['all'] },
    });
  });
  after(() => plinth.dispose());

  async function create(definition: Definition): Promise<string> {
    const body = crd({ group: GROUP, ...definition });
    const reply = await plinth.send('POST', CRDS, body);
    assert.equal(reply.status, 201, reply.text);
    return `${CRDS}/${body.metadata.name}`;
  }

  async function condition(path: string, type: string): Promise<any> {
    const { json } = await plinth.get(path);
    return json.status.conditions?.find((c: any) => c.type === type);
  }

  async function settled(path: string, status: string): Promise<any> {
    const isSettled = async (): Promise<boolean> =>
      (await condition(path, 'NamesAccepted'))?.status === status;
    await eventually(isSettled, `NamesAccepted ${status}`);
    return condition(path, 'NamesAccepted');
  }

  for (const [what, definition, reason] of [
    ['singular', { plural: 'as', kind: 'A', names: { singular: 'widget' } }, 'SingularConflict'],
    [
      'short name',
      { plural: 'bs', kind: 'B', names: { shortNames: ['wd'] } },
      'ShortNamesConflict',
    ],
    [
      'kind',
      { plural: 'cs', kind: 'Widget', names: { singular: 'c', listKind: 'CList' } },
      'KindConflict',
    ],
    [
      'list kind',
      { plural: 'ds', kind: 'D', names: { listKind: 'WidgetList' } },
      'ListKindConflict',
    ],
    [
      'plural as a short name',
      { plural: 'es', kind: 'E', names: { shortNames: ['widgets'] } },
      'ShortNamesConflict',
    ],
    ['short name as a plural', { plural: 'wd', kind: 'F' }, 'PluralConflict'],
  ] as [string, Definition, string][]) {
    it(`a ${what} that is taken is not accepted, and nothing is served`, async () => {
      const path = await create(definition);
      const accepted = await settled(path, 'False');
      assert.equal(accepted.reason, reason);
      assert.match(accepted.message, /is already in use/);
      const established = await condition(path, 'Established');
      assert.deepEqual([established.status, established.reason], ['False', 'NotAccepted']);
      const { status } = await plinth.get(`/apis/${GROUP}/v1/${definition.plural}`);
      assert.equal(status, 404);
      await plinth.send('DELETE', path);
    });
  }

  it('the same names in another group do not conflict', async () => {
    await install(plinth, {
      plural: 'widgets',
      kind: 'Widget',
      group: 'other.example.com',
      names: { shortNames: ['wd'] },
    });
  });

  it('names become free with the definition that held them', async () => {
    const first = await create({ plural: 'firsts', kind: 'Racer', names: { shortNames: ['rc'] } });
    await settled(first, 'True');
    const second = await create({
      plural: 'seconds',
      kind: 'Racer',
      names: { singular: 'second', shortNames: ['rc'] },
    });
    await settled(second, 'False');
    // what does not conflict is accepted all the same
    assert.equal((await plinth.get(second)).json.status.acceptedNames.plural, 'seconds');
    await plinth.send('DELETE', first);
    const accepted = await settled(second, 'True');
    assert.equal(accepted.reason, 'NoConflicts');
    await eventually(
      async () => (await plinth.get(`/apis/${GROUP}/v1/seconds`)).status === 200,
      'the second is served',
    );
    const { json } = await plinth.get(second);
    assert.equal(json.status.acceptedNames.kind, 'Racer');
    assert.deepEqual(json.status.acceptedNames.shortNames, ['rc']);
  });

  it('a definition that was established keeps what it had when its new names are taken', async () => {
    const path = await create({ plural: 'keepers', kind: 'Keeper' });
    await settled(path, 'True');
    const { json } = await plinth.get(path);
    json.spec.names.shortNames = ['wd'];
    assert.equal((await plinth.send('PUT', path, json)).status, 200);
    const accepted = await settled(path, 'False');
    assert.equal(accepted.reason, 'ShortNamesConflict');
    assert.equal((await condition(path, 'Established')).status, 'True');
    assert.equal((await plinth.get(`/apis/${GROUP}/v1/keepers`)).status, 200);
    assert.equal((await plinth.get(path)).json.status.acceptedNames.shortNames, undefined);
  });
});
