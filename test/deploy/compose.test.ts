import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { writeInstallation } from '../../access/pki/installation.ts';
import { COMPOSE_FILES, ROOT, servicesOf } from './compose-files.ts';

const OWN_KEYS: Record<string, string[]> = {
  certificates: ['pki', 'pki-etcd', 'pki-server', 'pki-prometheus', 'pki-grafana'],
  etcd: ['pki-etcd'],
  plinth: ['pki-server'],
  prometheus: ['pki-prometheus'],
  grafana: ['pki-grafana'],
};

describe('the compose files', () => {
  for (const file of COMPOSE_FILES) {
    const services = Object.entries(servicesOf(file));

    it(`${file}: names no version, of which compose warns`, () => {
      assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), /^version:/m);
    });

    it(`${file}: every service is hardened`, () => {
      for (const [name, service] of services) {
        assert.equal(service.read_only, true, `${name}: read-only root`);
        assert.deepEqual(service.cap_drop, ['ALL'], `${name}: no capabilities`);
        if (service.restart === 'no') continue;
        assert.ok(service.deploy.resources.limits.memory, `${name}: a limit of memory`);
        assert.ok(service.stop_grace_period ?? service.healthcheck, `${name}: time to stop`);
        const own = service.image.includes('PLINTH_IMAGE');
        if (!own) assert.ok(service.healthcheck, `${name}: a health check`);
      }
    });

    it(`${file}: each container has a volume with its own keys only`, () => {
      for (const [name, { volumes = [] }] of services) {
        const held = volumes.map((volume: string) => volume.split(':')[0]);
        const keys = held.filter((volume: string) => volume.startsWith('pki'));
        assert.deepEqual(keys, OWN_KEYS[name.replace(/-\d$/, '')] ?? [], name);
      }
    });

    it(`${file}: several servers sign tokens by the key that they share`, () => {
      const servers = services.filter(([name]) => name.startsWith('plinth'));
      const sharing = servers.filter(([, { command = [] }]) =>
        command.includes('--service-account-signing-key-file=/pki/service-account.key'),
      );
      assert.equal(sharing.length, servers.length === 1 ? 0 : servers.length);
    });

    it(`${file}: a start gives etcd five minutes, for on a slow disk the first election takes several`, () => {
      const members = services.filter(([name]) => name.startsWith('etcd'));
      assert.ok(members.length > 0);
      for (const [name, { healthcheck, environment }] of members) {
        assert.equal(healthcheck.start_period, '5m', name);
        assert.deepEqual(
          environment,
          members.length === 1
            ? undefined
            : {
                ETCD_HEARTBEAT_INTERVAL: '${ETCD_HEARTBEAT_INTERVAL:-100}',
                ETCD_ELECTION_TIMEOUT: '${ETCD_ELECTION_TIMEOUT:-1000}',
              },
          name,
        );
      }
      assert.match(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'), /--start-period=5m /);
    });

    it(`${file}: every image is a variable, so that it can be set by digest`, () => {
      for (const [name, { image, build }] of services) {
        assert.match(image, /^\$\{[A-Z]+_IMAGE:-[^}]+:[^}]+\}$/, name);
        assert.doesNotMatch(image, /:latest\}$/, name);
        for (const base of Object.values(build?.args ?? {})) {
          assert.match(String(base), /^\$\{[A-Z]+_IMAGE:-[^}]+:[^}]+\}$/, name);
        }
      }
    });

    it(`${file}: no service has a default password, token or secret`, () => {
      for (const [name, { environment = {}, command = [] }] of services) {
        assert.ok(!Array.isArray(environment), `${name}: environment is a map`);
        for (const variable of Object.keys(environment)) {
          if (!/PASS|SECRET|TOKEN|KEY/i.test(variable)) continue;
          assert.match(variable, /__FILE$/, `${name}: ${variable} is read from a file`);
        }
        assert.doesNotMatch(command.join(' '), /--[\w-]*(password|secret|token)\b/, name);
      }
      assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), /PASSWORD:-/);
    });
  }

  it('show the same dashboards and alerts', () => {
    const [one, several] = COMPOSE_FILES.map((file) => servicesOf(file));
    const resolved = ({ volumes }: any, file: string): string[] =>
      volumes.map((volume: string) => {
        const [source = '', ...rest] = volume.split(':');
        if (!source.startsWith('.')) return volume;
        const path = resolve(ROOT, dirname(file), source);
        assert.ok(existsSync(path), path);
        return [path, ...rest].join(':');
      });
    for (const name of ['prometheus', 'grafana']) {
      const [a, b] = [one![name], several![name]];
      assert.deepEqual(resolved(a, COMPOSE_FILES[0]), resolved(b, COMPOSE_FILES[1]), name);
      for (const key of ['image', 'environment', 'healthcheck', 'deploy', 'ports', 'tmpfs']) {
        assert.deepEqual(a[key], b[key], `${name}: ${key}`);
      }
    }
    const rules = (file: string): unknown =>
      parse(readFileSync(join(ROOT, 'deploy/prometheus', file), 'utf8')).rule_files;
    assert.deepEqual(rules('prometheus.yml'), rules('prometheus.ha.yml'));
  });
});

describe("Grafana's password", () => {
  const scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  after(() => rmSync(scratch, { recursive: true }));
  const install = async (name: string, separate: boolean): Promise<string> => {
    const dir = join(scratch, name);
    const [etcdHosts, serverHosts] = [['etcd'], ['plinth']];
    const url = 'https://127.0.0.1:6443';
    await writeInstallation(dir, { etcdHosts, serverHosts, url, separate, now: Date.now() });
    return dir;
  };

  it('is random, Grafana alone can read it, and it stays when certificates are renewed', async () => {
    const dir = await install('one', true);
    const file = join(dir, 'grafana/grafana-password');
    const password = readFileSync(file, 'utf8');
    assert.match(password, /^[\w-]{32}$/);
    assert.deepEqual(readdirSync(dirname(file)), ['grafana-password']);
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.equal(statSync(join(dir, 'grafana-password')).mode & 0o777, 0o600);
    await install('one', true);
    assert.equal(readFileSync(file, 'utf8'), password);
    const other = await install('two', true);
    assert.notEqual(readFileSync(join(other, 'grafana-password'), 'utf8'), password);
  });

  it('is the file that both stacks give to Grafana, whose group may read it', () => {
    for (const file of COMPOSE_FILES) {
      const { environment, volumes, group_add } = servicesOf(file)['grafana'];
      assert.equal(environment.GF_SECURITY_ADMIN_PASSWORD__FILE, '/pki/grafana-password');
      assert.ok(volumes.includes('pki-grafana:/pki:ro'));
      assert.deepEqual(group_add, ['65532']);
    }
  });

  it('is not made where each process has no directory of its own', async () => {
    const dir = await install('plain', false);
    assert.ok(!readdirSync(dir).some((name) => name.includes('grafana')));
  });
});
