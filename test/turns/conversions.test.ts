import assert from 'node:assert/strict';
import { ConversionWebhook, gadgetDefinition } from '../support/conversion-webhook.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

const GROUP = 'conversion.example.com';
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };
const base = (version: string): string => `/apis/${GROUP}/${version}/namespaces/default/gadgets`;

describe('turns of the event loop while objects are converted by a webhook', () => {
  const turns = new Turns();
  let plinth: Plinth;
  let webhook: ConversionWebhook;

  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    webhook = await ConversionWebhook.start();
    const definition = gadgetDefinition(GROUP, webhook.clientConfig);
    const made = await plinth.send('POST', DEFINITIONS, definition);
    assert.equal(made.status, 201, made.text);
    await eventually(async () => (await plinth.get(base('v1'))).status === 200, 'v1 is served');
  });
  after(async () => {
    await plinth.dispose();
    await webhook.close();
  });

  const create = async (name: string): Promise<void> => {
    const kind = { apiVersion: `${GROUP}/v1`, kind: 'Gadget' };
    const body = { ...kind, metadata: { name }, spec: { size: 1 } };
    const { status, text } = await plinth.send('POST', base('v1'), body);
    assert.equal(status, 201, text);
  };

  it('are short, however large its answers are', async () => {
    for (let i = 0; i < 30; i++) await create(`g${i}`);
    const fields = (n: number, color: string) => ({
      ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 1])),
      color,
    });
    const annotations = Object.fromEntries(Array.from({ length: 4_500 }, (_, i) => [`k${i}`, 'x']));
    const cases: [version: string, name: string, spec: object, metadata?: object][] = [
      ['v2', '', fields(0, 'x'.repeat(90_000))],
      ['v3', '', fields(1_600, 'x')],
      ['v2', '/g1', fields(30_000, 'x')],
      ['v2', '', {}, { annotations }],
    ];
    for (const [version, name, spec, more] of cases) {
      webhook.convert = (object, desired) => {
        return { ...object, apiVersion: desired, spec, metadata: { ...object.metadata, ...more } };
      };
      await turns.areShortDuring(async () => {
        // What was converted is remembered until it changes.
        for (let i = 0; i < 30; i++) {
          const labels = { metadata: { labels: { at: `t${Math.random()}` } } };
          await plinth.send('PATCH', `${base('v1')}/g${i}`, labels, MERGE_TYPE);
        }
        const { status, text } = await plinth.get(`${base(version)}${name}`);
        assert.equal(status, 200, text.slice(0, 300));
      });
    }
  });
});
