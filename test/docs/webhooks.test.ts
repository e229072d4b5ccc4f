import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { parse } from 'yaml';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  Registrations,
} from '../support/admission-webhook.ts';
import { Plinth } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';
import { ROOT } from './blocks.ts';

/** The block of a language on the page. */
function block(language: string): string {
  const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
  const found = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(page)?.[1];
  assert.ok(found, language);
  return found;
}

describe('docs/webhooks.md', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);

  before(async () => {
    plinth = await Plinth.start();
    webhooks = await AdmissionWebhooks.start();
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
  });

  it('the example works, whichever name of the review it answers with', async () => {
    const code = Buffer.from(block('js')).toString('base64');
    const { answer } = await import(`data:text/javascript;base64,${code}`);
    const received: string[] = [];
    webhooks.raw('/teams', (response, review) => {
      received.push(review.apiVersion);
      answerJson(response, answer(review));
    });
    const configuration = parse(block('yaml'));
    configuration.webhooks[0].clientConfig = webhooks.client('/teams');
    await registrations.make('mutatingwebhookconfigurations', configuration);
    const refused = await plinth.send('POST', leasePath(), lease());
    assert.deepEqual([refused.status, received], [403, ['admission.cluster.io/v1']], refused.text);
    assert.match(refused.json.message, /the label team is missing$/);
    const { json } = await plinth.send('POST', leasePath(), lease({ labels: { team: 'a' } }));
    assert.deepEqual(json.metadata.labels, { team: 'a', checked: 'yes' });
    await registrations.clear();
  });
});
