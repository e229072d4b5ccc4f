import assert from 'node:assert/strict';
import { FlagError } from '../../config/command-line.ts';
import { parseFlags } from '../../config/flags.ts';
import { Plinth, type Reply } from '../support/plinth.ts';

const NAMESPACES = '/api/v1/namespaces';
const ORIGIN = 'https://console.example.com';
const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,content-type',
};
const STRANGER = { authorization: 'Bearer unknown' };

const permitted = ({ headers }: Reply): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('browsers', () => {
  describe('of allowed origins', () => {
    let plinth: Plinth;
    after(() => plinth.dispose());
    before(async () => {
      plinth = await Plinth.start({
        args: [
          '--cors-allowed-origins',
          '^https://console\\.example\\.com$,//localhost:',
          '--strict-transport-security-directives',
          'max-age=31536000,includeSubDomains',
        ],
      });
    });

    it('may ask without credentials what they may do', async () => {
      const reply = await plinth.send('OPTIONS', NAMESPACES, undefined, {
        ...PREFLIGHT,
        ...STRANGER,
      });
      assert.deepEqual([reply.status, reply.text], [204, '']);
      assert.equal(reply.headers['access-control-allow-origin'], ORIGIN);
      assert.equal(reply.headers['access-control-allow-credentials'], 'true');
      assert.match(String(reply.headers['access-control-allow-methods']), /\bPATCH\b/);
      assert.match(String(reply.headers['access-control-allow-headers']), /\bAuthorization\b/);
    });

    it('may read answers, also those that refuse', async () => {
      for (const origin of [ORIGIN, 'http://localhost:3000']) {
        const { status, headers } = await plinth.get(NAMESPACES, { origin });
        assert.deepEqual([status, headers['access-control-allow-origin']], [200, origin]);
        const refused = await plinth.get(NAMESPACES, { origin, ...STRANGER });
        assert.equal(refused.status, 401);
        assert.equal(refused.headers['access-control-allow-origin'], origin);
      }
    });

    it('are told apart from others whose name is like theirs', async () => {
      const others = [`${ORIGIN}.evil.example`, 'http://console.example.com', 'null'];
      for (const origin of others) {
        const reply = await plinth.get(NAMESPACES, { origin });
        assert.deepEqual([reply.status, permitted(reply)], [200, []], origin);
        const asked = await plinth.send('OPTIONS', NAMESPACES, undefined, { ...PREFLIGHT, origin });
        assert.deepEqual([asked.status === 204, permitted(asked)], [false, []], origin);
      }
      assert.deepEqual(permitted(await plinth.get(NAMESPACES)), []);
    });

    it('are told to come by TLS only', async () => {
      for (const headers of [{}, STRANGER]) {
        const reply = await plinth.get(NAMESPACES, headers);
        const told = reply.headers['strict-transport-security'];
        assert.equal(told, 'max-age=31536000; includeSubDomains');
      }
    });
  });

  it('may do nothing unless a flag allows it', async () => {
    const plinth = await Plinth.start();
    try {
      const asked = await plinth.send('OPTIONS', NAMESPACES, undefined, PREFLIGHT);
      assert.deepEqual([asked.status === 204, permitted(asked)], [false, []]);
      const reply = await plinth.get(NAMESPACES, { origin: ORIGIN });
      assert.deepEqual([reply.status, permitted(reply)], [200, []]);
      assert.equal(reply.headers['strict-transport-security'], undefined);
    } finally {
      await plinth.dispose();
    }
  });

  for (const [flag, value, why] of [
    ['--cors-allowed-origins', 'example.com$', /must begin with \^ or \/\//],
    ['--cors-allowed-origins', '^https://example.com', /must end with \$ or a colon/],
    ['--cors-allowed-origins', '^https://(example.com$', /is not a regular expression/],
    ['--strict-transport-security-directives', 'max-age=1,upgrade', /"upgrade" must be one of/],
  ] as const) {
    it(`the server does not start with ${flag} ${value}`, () => {
      assert.throws(
        () => parseFlags([flag, value], () => undefined),
        (error) => error instanceof FlagError && why.test(error.message),
      );
    });
  }
});
