import assert from 'node:assert/strict';
import { Attempts } from '../../access/sessions/attempts.ts';
import { consoleAccess, type ConsoleAccess } from '../../access/sessions/console-access.ts';
import { parseFlags } from '../../config/flags.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import { StoreError } from '../../storage/errors.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { consoleLink } from './link.ts';

const URL = 'https://127.0.0.1:6443';
const tokens = { name: 'none', authenticateToken: () => undefined };

interface Made {
  readonly link: string | undefined;
  readonly console: ConsoleAccess;
  readonly problems: readonly string[];
}

async function make(
  args: readonly string[],
  { store = new MemoryStore(), isFirst = true } = {},
): Promise<Made> {
  const config = parseFlags([...args], () => undefined);
  const client = undefined as unknown as HttpsClient;
  const clock = new FakeClock();
  const attempts = new Attempts(clock);
  const console = consoleAccess({ config, tokens, client, attempts, clock, store });
  const problems: string[] = [];
  const onProblem = (message: string): void => void problems.push(message);
  const link = await consoleLink({ config, console, url: URL, peers: { isFirst }, onProblem });
  return { link, console, problems };
}

describe('the link to the console', () => {
  const cases: [string[], boolean][] = [
    [[], true],
    [['--bind-address', '::1'], true],
    [['--bind-address', '0.0.0.0'], false],
    [['--bind-address', '10.0.0.1', '--console'], false],
    [['--etcd-servers', 'http://127.0.0.1:2379', '--workers', '2'], true],
  ];
  for (const [args, isMade] of cases) {
    it(`is ${isMade ? 'made' : 'not made'} with ${args.join(' ') || 'the defaults'}`, async () => {
      const { link, console } = await make(args);
      assert.equal(link !== undefined, isMade);
      const code = /^https:\/\/127\.0\.0\.1:6443\/console#code=([\w-]{43})$/.exec(link ?? '')?.[1];
      if (isMade) assert.equal(await console.codes.take(code!), true);
    });
  }

  it('is not made by a worker whose greeting the operator does not see', async () => {
    const { link, console } = await make([], { isFirst: false });
    assert.equal(link, undefined);
    assert.equal(await console.codes.isOpen(), false);
  });

  it('is not made while the store is full, and the log says so', async () => {
    const store = new MemoryStore();
    store.create = () => Promise.reject(new StoreError('outOfSpace', 'full'));
    const { link, problems } = await make([], { store });
    assert.equal(link, undefined);
    assert.deepEqual(problems, ['the store does not keep the code of a link to the console']);
  });
});
