import assert from 'node:assert/strict';
import { consoleAccess } from '../../access/sessions/console-access.ts';
import { parseFlags } from '../../config/flags.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { consoleLink } from './link.ts';

const URL = 'https://127.0.0.1:6443';
const tokens = { name: 'none', authenticateToken: () => undefined };

describe('the link to the console', () => {
  const cases: [string[], boolean][] = [
    [[], true],
    [['--bind-address', '::1'], true],
    [['--bind-address', '0.0.0.0'], false],
    [['--bind-address', '10.0.0.1', '--console'], false],
    [['--etcd-servers', 'http://127.0.0.1:2379', '--workers', '2'], false],
  ];
  for (const [args, isMade] of cases) {
    it(`is ${isMade ? 'made' : 'not made'} with ${args.join(' ') || 'the defaults'}`, () => {
      const config = parseFlags(args, () => undefined);
      const client = undefined as unknown as HttpsClient;
      const store = new MemoryStore();
      const console = consoleAccess({ config, tokens, client, clock: new FakeClock(), store });
      const link = consoleLink(config, console, URL);
      assert.equal(link !== undefined, isMade);
      const code = /^https:\/\/127\.0\.0\.1:6443\/console#code=([\w-]{43})$/.exec(link ?? '')?.[1];
      if (isMade) assert.equal(console.code.take(code!), true);
    });
  }
});
