import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';
const WHOAMI = '/apis/authentication.cluster.io/v1/selfsubjectreviews';

describe('static tokens', () => {
  let directory: string;
  let plinth: Plinth;
  const file = (): string => join(directory, 'tokens.csv');
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-tokens-'));
    writeFileSync(
      file(),
      '# tokens of people\n\nsecret-a,ann,1,"g1,g2"\n"secret,b",bob,2\nsecret-c,carol\n',
    );
    plinth = await Plinth.start({ args: ['--token-auth-file', file()] });
  });
  after(async () => {
    await plinth.dispose();
    rmSync(directory, { recursive: true });
  });

  const whoami = (token: string): Promise<Reply> =>
    plinth.send('POST', WHOAMI, {}, { authorization: `Bearer ${token}` });

  it('name a user with uid and groups', async () => {
    assert.deepEqual((await whoami('secret-a')).json.status.userInfo, {
      username: 'ann',
      uid: '1',
      groups: ['g1', 'g2', 'system:authenticated'],
    });
    assert.equal((await whoami('secret,b')).json.status.userInfo.username, 'bob');
    assert.equal((await whoami('secret-c')).json.status.userInfo.username, 'carol');
    for (const token of ['secret-', 'secret-aa', 'ann', '# tokens of people', '']) {
      assert.equal((await whoami(token)).status, 401, token);
    }
  });

  it('are readable for this server only', async () => {
    const review = async (spec: object): Promise<any> =>
      (await plinth.send('POST', REVIEWS, { spec: { token: 'secret-a', ...spec } })).json.status;
    assert.equal((await review({})).authenticated, true);
    const { authenticated, user } = await review({ audiences: ['elsewhere'] });
    assert.deepEqual([authenticated, user], [undefined, {}]);
  });

  it('follow the file when it is rewritten, replaced or a symbolic link', async () => {
    writeFileSync(file(), 'secret-d,dora,4\n');
    await eventually(async () => (await whoami('secret-d')).status === 201, 'the new token');
    assert.equal((await whoami('secret-a')).status, 401, 'the one that is gone');
    writeFileSync(`${file()}.new`, 'secret-e,emil,5\n');
    renameSync(`${file()}.new`, file());
    await eventually(async () => (await whoami('secret-e')).status === 201, 'the replaced file');
    writeFileSync(join(directory, 'elsewhere'), 'secret-f,frida,6\n');
    symlinkSync('elsewhere', `${file()}.link`);
    renameSync(`${file()}.link`, file());
    await eventually(async () => (await whoami('secret-f')).status === 201, 'the link');
  });

  it('stay as they were while the file cannot be read', async () => {
    writeFileSync(join(directory, 'elsewhere'), 'no-user\n');
    await eventually(() => plinth.output.includes('what was read before stays'), 'the complaint');
    assert.equal((await whoami('secret-f')).status, 201);
    assert.doesNotMatch(plinth.output, /secret-[a-f]|no-user/);
  });
});
