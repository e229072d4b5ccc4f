import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { gte } from 'semver';
import { cpuMs } from '../../bench/load/process.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

/*
 * Attacks by load that have a public number, and their kin. Each must be
 * refused in bounded time and memory, and the server must go on.
 */
const users = tokenUsers(['user']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
/** CPU of the server: what these attacks are about takes minutes of it. */
const QUICK_MS = 5_000;

describe('attacks by load', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: users.args });
    await plinth.send('POST', LEASES, {
      metadata: { name: 'target', labels: { a: 'x'.repeat(60) } },
    });
  });
  afterEach(async () => {
    assert.equal((await plinth.get('/livez')).status, 200, 'the server goes on');
  });
  after(() => plinth.dispose());

  async function refused(send: () => Promise<Reply>, codes: readonly number[]): Promise<void> {
    const from = cpuMs(plinth.pid);
    const { status, json } = await send();
    assert.ok(codes.includes(status), `${status} ${JSON.stringify(json).slice(0, 200)}`);
    assert.equal(json.kind, 'Status');
    const usedMs = cpuMs(plinth.pid) - from;
    assert.ok(usedMs < QUICK_MS, `${usedMs} ms`);
  }
  const post = (body: string, type: string) => () =>
    plinth.send('POST', LEASES, body, { ...users.as('user'), 'content-type': type });
  const patch = (body: unknown, type: string) => () =>
    plinth.send('PATCH', `${LEASES}/target`, body, { ...users.as('user'), 'content-type': type });

  it('CVE-2019-11253: aliases of a YAML document that multiply', async () => {
    const levels = Array.from({ length: 9 }, (_, i) =>
      i === 0 ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]' : `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`,
    );
    const bomb = `metadata: {name: bomb}\n${levels.join('\n')}\n`;
    await refused(post(bomb, 'application/yaml'), [400]);
    const apply = (): Promise<Reply> =>
      plinth.send('PATCH', `${LEASES}/bomb?fieldManager=m`, bomb, {
        ...users.as('user'),
        'content-type': 'application/apply-patch+yaml',
      });
    await refused(apply, [400]);
  });

  it('CVE-2019-11253: JSON that is deep, or wide', async () => {
    await refused(post('['.repeat(500_000), 'application/json'), [400]);
    await refused(post(`{"a":${'{"a":'.repeat(200_000)}`, 'application/json'), [400]);
    const wide = Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join(',');
    await refused(post(`{"metadata":{"name":"w"},${wide}}`, 'application/json'), [400, 413, 422]);
  });

  it('CVE-2019-11254: YAML that makes a scanner backtrack', async () => {
    for (const text of ['[[', '? ', '- - ', '{a: {', '"', '!!', '&a ', '| \n ', ': ']) {
      await refused(post(text.repeat(400_000 / text.length), 'application/yaml'), [400, 413, 422]);
    }
  });

  it('CVE-2019-1002100: a JSON patch that copies, and one of too many operations', async () => {
    const copies = Array.from({ length: 60 }, (_, i) => ({
      op: 'copy',
      from: '/metadata/annotations',
      path: `/metadata/annotations/c${i}`,
    }));
    const bomb = [
      { op: 'add', path: '/metadata/annotations', value: { a: 'x'.repeat(1000) } },
      ...copies,
    ];
    const type = 'application/json-patch+json';
    await refused(patch(bomb, type), [413, 422]);
    const many = Array.from({ length: 10_001 }, () => ({
      op: 'test',
      path: '/kind',
      value: 'Lease',
    }));
    await refused(patch(many, type), [413]);
    await refused(patch('[{"op":"replace"', type), [400]);
  });

  it('managers growth: the number of managers of an object is bounded', async () => {
    const path = `${LEASES}/managed`;
    await plinth.send('POST', LEASES, {
      metadata: { name: 'managed' },
      spec: { holderIdentity: 'a' },
    });
    const type = { ...users.as('user'), 'content-type': 'application/merge-patch+json' };
    for (let i = 0; i < 40; i++) {
      const body = { metadata: { annotations: { [`a${i}`]: 'b' } } };
      const query = `?fieldManager=manager-${i}`;
      const { status, text } = await plinth.send('PATCH', path + query, body, type);
      assert.equal(status, 200, text);
    }
    const { json } = await plinth.get(path);
    assert.equal(json.metadata.managedFields.length, 10);
    assert.ok(json.metadata.managedFields.some((m: any) => m.manager === 'ancient-changes'));
    assert.equal(Object.keys(json.metadata.annotations).length, 40);
  });

  it('CVE-2024-45296, CVE-2024-45590: paths and bodies never reach the parsers of Express', async () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const versions = (name: string): string[] =>
      Object.keys(packages)
        .filter((path) => path.endsWith(`node_modules/${name}`))
        .map((path) => packages[path].version);
    for (const version of versions('path-to-regexp')) assert.ok(gte(version, '8.4.0'), version);
    for (const version of versions('body-parser')) assert.ok(gte(version, '2.2.1'), version);
    for (const path of [
      `/a${'-a'.repeat(10_000)}`,
      `/${'{a'.repeat(5_000)}`,
      `/${'%2f'.repeat(9_000)}`,
    ]) {
      const from = cpuMs(plinth.pid);
      const { status } = await plinth.get(path, users.as('user'));
      assert.ok([400, 404].includes(status), String(status));
      assert.ok(cpuMs(plinth.pid) - from < QUICK_MS);
    }
    const nested = `a${'[b]'.repeat(10_000)}=c`;
    await refused(post(nested, 'application/x-www-form-urlencoded'), [415]);
    assert.equal((await plinth.get(`/version?${nested}`, users.as('user'))).status, 200);
  });

  it('a body above the limit is refused with and without a Content-Length', async () => {
    await refused(post(' '.repeat(3 * 1024 * 1024 + 1), 'application/json'), [413]);
    const client = await RawClient.open(plinth.url);
    const chunked = { ...users.as('user'), 'transfer-encoding': 'chunked' };
    client.send(head('POST', LEASES, { ...chunked, 'content-type': 'application/json' }));
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (let i = 0; i < 64 && client.status === undefined; i++) {
      client.send(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(client.status, 413);
    client.close();
  });

  it('headers that are huge, or many, and a URL that is long', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => [`x-${i}`, 'y']);
    for (const request of [
      head('GET', '/version', { 'x-huge': 'x'.repeat(200_000) }),
      head('GET', `/version?${'x'.repeat(200_000)}`, {}),
      head('GET', '/version', Object.fromEntries(many)),
    ]) {
      const client = await RawClient.open(plinth.url);
      client.send(request);
      while (client.ended === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
      // The end of the connection may overtake the answer, since not all was read.
      assert.ok(client.status === 431 || client.status === undefined, client.received);
    }
  });

  it('no header is left out silently, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x-${i}`, 'y']));
    const { status } = await plinth.get(LEASES, { ...many, ...users.as('user') });
    assert.equal(status, 200);
  });

  it('a flood of idle connections does not delay other clients', async () => {
    const { hostname, port } = new URL(plinth.url);
    const silent = new Set<Socket>();
    let isOver = false;
    // Those that are turned away come back: who waits behind them waits for ever.
    const flood = (): void => {
      if (isOver) return;
      const socket = connect(Number(port), hostname);
      silent.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        silent.delete(socket);
        setImmediate(flood);
      });
    };
    for (let i = 0; i < 500; i++) flood();
    const idle = await Promise.all(Array.from({ length: 100 }, () => RawClient.open(plinth.url)));
    for (let i = 0; i < 20; i++) {
      assert.equal((await plinth.get(LEASES, users.as('user'))).status, 200);
    }
    isOver = true;
    for (const socket of silent) socket.destroy();
    for (const client of idle) client.close();
  });

  it('a flood of requests without credentials reads none of their bodies', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => RawClient.open(plinth.url)));
    for (const client of clients) {
      client.send(head('POST', LEASES, { authorization: 'Bearer unknown' }, 3_000_000));
    }
    while (clients.some(({ status }) => status === undefined)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.ok(clients.every(({ status }) => status === 401));
    for (const client of clients) client.close();
  });

  it('CVE-2020-8552: User-Agents and unknown paths create no metric series', async () => {
    const { text: before } = await plinth.get('/metrics');
    for (let i = 0; i < 400; i++) {
      const headers = { ...users.as('user'), 'user-agent': `agent-${i}` };
      await plinth.send(
        i % 2 === 0 ? 'GET' : `M-${i}`,
        `/apis/g${i}.io/v1/r${i}/n${i}`,
        undefined,
        headers,
      );
    }
    const { text: after } = await plinth.get('/metrics');
    assert.doesNotMatch(after, /agent-\d|g\d+\.io/);
    const added = after.split('\n').length - before.split('\n').length;
    assert.ok(added < 400, `${added} lines more`);
  });

  it('deprecated versions that are asked for are shown', async () => {
    await plinth.get('/api/v1/componentstatuses', users.as('user'));
    const { text } = await plinth.get('/metrics');
    assert.match(text, /apiserver_requested_deprecated_apis{[^}]*componentstatuses[^}]*} 1/);
  });

  it('HTTP/2 without TLS or without ALPN is refused', async () => {
    const raw = await RawClient.open(plinth.url);
    raw.send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    while (raw.ended === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});
