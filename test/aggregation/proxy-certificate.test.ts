import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import {
  makeAuthority,
  makeClientCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';
import {
  API_SERVICES,
  EXTENSION_GROUP,
  ExtensionServer,
  untilAvailable,
  writeEndpoints,
} from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const GAUGE = `/apis/${EXTENSION_GROUP}/v1/namespaces/default/gauges/a`;

describe('--proxy-client-cert-file and --proxy-client-key-file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-proxy-'));
  const [certFile, keyFile] = [join(dir, 'proxy.crt'), join(dir, 'proxy.key')];
  const args = ['--proxy-client-cert-file', certFile, '--proxy-client-key-file', keyFile];
  let authority: KeyPair;

  const named = (name: string): Promise<KeyPair> =>
    makeClientCertificate(authority, name, [], Date.now());
  const write = ({ certificate, key }: KeyPair): void => {
    writeFileSync(keyFile, key);
    writeFileSync(certFile, certificate);
  };

  before(async () => {
    authority = await makeAuthority('proxies', Date.now());
  });
  after(() => rmSync(dir, { recursive: true }));

  it('are what an aggregated server sees, and again when they change', async () => {
    const endpoints = join(dir, 'endpoints');
    write(await named('first-proxy'));
    writeEndpoints(endpoints, {});
    const plinth = await Plinth.start({ args: ['--service-endpoints-file', endpoints, ...args] });
    const extension = await ExtensionServer.start(plinth.dataDir, undefined, authority.certificate);
    try {
      writeEndpoints(endpoints, { metrics: extension.port });
      await plinth.send('POST', API_SERVICES, extension.apiService());
      await untilAvailable(plinth);
      const shown = async (): Promise<string | undefined> => {
        assert.equal((await plinth.get(GAUGE)).status, 200);
        return extension.seen.at(-1)!.proxy;
      };
      assert.equal(await shown(), 'first-proxy');
      write(await named('second-proxy'));
      await eventually(async () => (await shown()) === 'second-proxy', 'the new certificate');
      writeFileSync(certFile, (await named('third-proxy')).certificate);
      await eventually(() => plinth.output.includes('cannot be used'), 'the complaint');
      assert.equal(await shown(), 'second-proxy');
    } finally {
      await extension.close();
      await plinth.dispose();
    }
  });

  it('that do not fit each other, or are not there, are found at the start', async () => {
    const [one, other] = [await named('one'), await named('other')];
    write({ certificate: one.certificate, key: other.key });
    await assert.rejects(Plinth.start({ args }), /ended with/);
    rmSync(keyFile);
    await assert.rejects(Plinth.start({ args }), new RegExp(`ended with .*${keyFile}`, 's'));
    await assert.rejects(Plinth.start({ args: args.slice(0, 2) }), /must be set together/);
  });
});
