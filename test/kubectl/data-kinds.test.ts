import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, Plinth } from '../support/plinth.ts';

describe('kubectl and the kinds that hold data', function () {
  let plinth: Plinth;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-test-'));
    plinth = await Plinth.start();
  });
  after(async () => {
    await plinth.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync('kubectl', ['--kubeconfig', plinth.kubeconfig, ...args], {
      encoding: 'utf8',
    });
  }
  function kubectl(...args: string[]): string {
    const { status, stdout, stderr } = run(...args);
    assert.equal(status, 0, stderr);
    return stdout;
  }
  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('create configmap keeps texts and bytes', () => {
    const logo = file('logo', Buffer.from([0, 255, 1]));
    kubectl('create', 'configmap', 'conf', '--from-literal=level=debug', `--from-file=${logo}`);
    assert.equal(kubectl('get', 'cm', 'conf', '-o', 'jsonpath={.data.level}'), 'debug');
    assert.equal(kubectl('get', 'cm', 'conf', '-o', 'jsonpath={.binaryData.logo}'), 'AP8B');
    assert.match(kubectl('get', 'configmaps'), /^NAME +DATA +AGE\nconf +2 /);
    assert.match(kubectl('describe', 'cm', 'conf'), /level:\n----\ndebug/);
  });

  it('create secret makes each of its types', () => {
    kubectl('create', 'secret', 'generic', 'any', '--from-literal=password=ünsafe');
    const password = kubectl('get', 'secret', 'any', '-o', 'jsonpath={.data.password}');
    assert.equal(Buffer.from(password, 'base64').toString(), 'ünsafe');
    kubectl(
      ...['create', 'secret', 'docker-registry', 'registry', '--docker-username=u'],
      '--docker-password=p',
    );
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = file('key', privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const notTls = file('cert', publicKey.export({ type: 'spki', format: 'pem' }));
    const wrong = run('create', 'secret', 'tls', 'web', `--key=${key}`, `--cert=${notTls}`);
    assert.notEqual(wrong.status, 0, 'kubectl itself looks at the certificate');
    const ssh = ['create', 'secret', 'generic', 'ssh', '--type=kubernetes.io/ssh-auth'];
    assert.match(run(...ssh).stderr, /data\[ssh-privatekey\]: Required value/);
    kubectl(...ssh, `--from-file=ssh-privatekey=${key}`);
    const table = kubectl('get', 'secrets', '--field-selector=type=kubernetes.io/dockerconfigjson');
    assert.match(table, /^NAME +TYPE +DATA +AGE\nregistry +kubernetes.io\/dockerconfigjson +1 /);
    assert.match(kubectl('describe', 'secret', 'any'), /password: +7 bytes/);
  });

  it('apply turns stringData into data, and does not store stringData', () => {
    const manifest = file(
      'secret.yaml',
      'apiVersion: v1\nkind: Secret\nmetadata: {name: applied}\nstringData: {a: one}\n',
    );
    kubectl('apply', '--server-side', '-f', manifest);
    assert.equal(
      kubectl('get', 'secret', 'applied', '-o', 'jsonpath={.stringData}{.data.a}'),
      'b25l',
    );
  });

  it('create serviceaccount makes an account that bindings name', () => {
    kubectl('create', 'serviceaccount', 'builder');
    assert.match(kubectl('get', 'sa', 'builder'), /NAME +SECRETS +AGE\nbuilder +0 /);
    kubectl('create', 'rolebinding', 'b', '--clusterrole=view', '--serviceaccount=default:builder');
    const as = ['--as=system:serviceaccount:default:builder'];
    assert.match(kubectl('get', 'configmaps', ...as), /conf/);
    assert.match(run('get', 'secrets', ...as).stderr, /Forbidden/);
  });

  it('create quota limits numbers of objects, and get and describe show what is used', async () => {
    kubectl('create', 'namespace', 'small');
    const limits = '--hard=configmaps=1,count/leases.coordination.k8s.io=2,requests.cpu=4';
    kubectl('create', 'quota', 'limits', limits, '-n', 'small');
    kubectl('create', 'configmap', 'one', '-n', 'small');
    const more = run('create', 'configmap', 'two', '-n', 'small');
    assert.match(
      more.stderr,
      /exceeded quota: limits, requested: configmaps=1, used: configmaps=1/,
    );
    const shown = (): string => kubectl('get', 'quota', '-n', 'small');
    await eventually(() => shown().includes('configmaps: 1/1'), 'limits in force');
    assert.match(shown(), /^NAME +REQUEST +LIMIT +AGE\nlimits +configmaps: 1\/1, count\/leases/);
    const told = kubectl('describe', 'quota', 'limits', '-n', 'small');
    assert.match(told, /configmaps +1 +1\n/);
    assert.match(told, /count\/leases.coordination.k8s.io +0 +2\n/);
    assert.match(kubectl('describe', 'namespace', 'small'), /Resource Quotas[^]*configmaps +1 +1/);
  });

  it('an immutable ConfigMap is refused changes until it is deleted', () => {
    kubectl('create', 'configmap', 'fixed', '--from-literal=a=1');
    kubectl('patch', 'configmap', 'fixed', '-p', '{"immutable":true}');
    assert.match(
      run('patch', 'configmap', 'fixed', '-p', '{"data":{"a":"2"}}').stderr,
      /data: Forbidden: field is immutable when `immutable` is set/,
    );
    kubectl('delete', 'configmap', 'fixed');
  });
});
