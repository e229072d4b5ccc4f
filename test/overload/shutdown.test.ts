import assert from 'node:assert/strict';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

const users = tokenUsers(['user']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const BODY = JSON.stringify({ metadata: { name: 'late' } });

describe('a graceful shutdown', function () {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: [...users.args, '--shutdown-delay-duration', '5'] });
  });
  after(() => plinth.dispose());

  it('fails readiness first, closes connections after their responses, then refuses new requests, finishes requests under way, and ends watches cleanly', async () => {
    const underWay = await RawClient.open(plinth.url);
    underWay.send(head('POST', LEASES, users.as('user'), BODY.length));
    const watch = await RawClient.open(plinth.url);
    watch.send(head('GET', `${LEASES}?watch=1`, users.as('user')));
    await eventually(() => watch.status === 200, 'the watch');
    const idle = await RawClient.open(plinth.url);
    idle.send(head('GET', '/livez', {}));
    await eventually(() => idle.status === 200, 'the first answer');

    process.kill(plinth.pid, 'SIGTERM');
    await eventually(async () => (await plinth.get('/readyz')).status !== 200, 'readyz fails');
    assert.match((await plinth.get('/readyz')).text, /\[-\]shutdown failed/);
    assert.equal((await plinth.get('/livez')).status, 200);
    const served = await plinth.get(LEASES);
    assert.equal(served.status, 200, 'during the delay everything is served');
    assert.equal(served.headers.connection, 'close', 'the next request goes to another server');
    assert.equal(idle.ended, undefined, 'what is idle may still be used during the delay');
    assert.equal(watch.ended, undefined, 'the watch goes on during the delay');

    await eventually(async () => (await plinth.get(LEASES)).status === 429, 'refusals');
    const refused = await plinth.get(LEASES);
    assert.equal(refused.headers['retry-after'], '5');
    assert.equal(refused.headers.connection, 'close');
    assert.equal(refused.json.message, 'The apiserver is shutting down, please try again later.');
    assert.equal(refused.json.reason, 'TooManyRequests');
    assert.equal((await plinth.get('/livez')).status, 200);

    await eventually(() => idle.ended !== undefined, 'the end of what is idle');
    assert.equal(idle.ended, 'end', 'it is not reset');
    // The last chunk says that it is the last: clients resume at once instead of taking it for a fault.
    await eventually(() => watch.received.endsWith('\r\n0\r\n\r\n'), 'the end of the watch');

    underWay.send(BODY);
    await eventually(() => underWay.ended !== undefined, 'the answer');
    assert.equal(underWay.status, 201);
    assert.match(underWay.received, /connection: close/i);
    // A signal that says nothing: it ends by itself, or has.
    assert.ok(!(await plinth.stop('SIGCONT')));
  });
});
