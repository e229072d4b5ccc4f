import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { freePorts } from '../support/etcd.ts';
import { eventually } from '../support/plinth.ts';
import { baseImage } from './images/base-image.ts';
import { plinthImage } from './images/plinth-image.ts';
import { run } from './images/shell.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Not among the programs that images can be made of here; its dashboard is tested on its own. */
const NOT_RUN = 'grafana';
const FILES = ['docker-compose.yml', 'deploy/docker-compose.ha.yml'] as const;

/** A stack of a compose file, with images that were made on this machine. */
class Stack {
  readonly port: number;
  readonly prometheusPort: number;
  readonly #file: string;
  readonly #project = `plinth-test-${process.pid}`;
  readonly #env: Record<string, string>;
  readonly #scratch = mkdtempSync(join(tmpdir(), 'plinth-stack-'));

  private constructor(file: string, ports: number[], images: { base: string; plinth: string }) {
    this.#file = join(ROOT, file);
    [this.port, this.prometheusPort] = [ports[0]!, ports[1]!];
    this.#env = {
      PLINTH_IMAGE: images.plinth,
      ETCD_IMAGE: images.base,
      PROMETHEUS_IMAGE: images.base,
      HAPROXY_IMAGE: images.base,
      PLINTH_PORT: String(this.port),
      PROMETHEUS_PORT: String(this.prometheusPort),
      DOCKER_BUILDKIT: '0',
      COMPOSE_HTTP_TIMEOUT: '180',
    };
  }

  static async of(file: string): Promise<Stack> {
    const images = { base: await baseImage(), plinth: await plinthImage() };
    return new Stack(file, await freePorts(2), images);
  }

  get services(): Record<string, any> {
    return servicesOf(this.#file);
  }

  async up(): Promise<void> {
    const services = Object.keys(this.services).filter((name) => name !== NOT_RUN);
    await this.compose('up', '-d', '--no-build', ...services);
  }

  async compose(...args: string[]): Promise<string> {
    const options = { env: this.#env, cwd: ROOT };
    const all = ['--compatibility', '-p', this.#project, '-f', this.#file, ...args];
    const plugin = await run('docker', ['compose', 'version']).then(
      () => true,
      () => false,
    );
    return plugin
      ? run('docker', ['compose', ...all], options)
      : run('docker-compose', all, options);
  }

  async container(service: string): Promise<string> {
    return (await this.compose('ps', '-q', service)).trim();
  }

  async health(service: string): Promise<string> {
    const id = await this.container(service);
    if (id === '') return 'missing';
    return (await run('docker', ['inspect', '-f', '{{.State.Health.Status}}', id])).trim();
  }

  async kubectl(...args: string[]): Promise<string> {
    return run('kubectl', ['--kubeconfig', join(this.#scratch, 'kubeconfig'), ...args]);
  }

  /** As the head of the compose file says. */
  async fetchKubeconfig(service: string): Promise<void> {
    const id = await this.container(service);
    const target = join(this.#scratch, 'kubeconfig');
    await run('docker', ['cp', `${id}:/pki/admin.kubeconfig`, target]);
  }

  /** `<job> <address> <health>` of everything that Prometheus scrapes. */
  async targets(): Promise<string[]> {
    const { activeTargets } = await this.#prometheus('targets');
    const told = activeTargets.map(
      ({ labels, health }: any) => `${labels.job} ${labels.instance} ${health}`,
    );
    return told.sort();
  }

  /** Alerts that cannot be evaluated, or that are on. */
  async alarming(): Promise<string[]> {
    const { groups } = await this.#prometheus('rules');
    const rules: any[] = groups.flatMap((group: any) => group.rules);
    assert.ok(rules.length > 10, 'the alerts are there');
    return rules
      .filter(({ state, health }) => state !== 'inactive' || health === 'err')
      .map(({ name, state, health, lastError }) => `${name} ${state} ${health} ${lastError}`);
  }

  /** @returns how many series an expression has */
  async series(expression: string): Promise<number> {
    const { result } = await this.#prometheus(`query?query=${encodeURIComponent(expression)}`);
    return result.length;
  }

  async #prometheus(path: string): Promise<any> {
    const answer = await fetch(`http://127.0.0.1:${this.prometheusPort}/api/v1/${path}`);
    return ((await answer.json()) as any).data;
  }

  async down(): Promise<void> {
    await this.compose('down', '-v', '-t', '5');
    rmSync(this.#scratch, { recursive: true });
  }
}

/** What every service that runs for long has to say about itself. */
function assertHardened(services: Record<string, any>): void {
  for (const [name, service] of Object.entries(services)) {
    assert.equal(service.read_only, true, `${name}: read-only root`);
    assert.deepEqual(service.cap_drop, ['ALL'], `${name}: no capabilities`);
    if (service.restart === 'no') continue;
    assert.ok(service.deploy.resources.limits.memory, `${name}: a limit of memory`);
    assert.ok(service.stop_grace_period ?? service.healthcheck, `${name}: time to stop`);
    const image: string = service.image;
    if (!image.includes('PLINTH_IMAGE')) assert.ok(service.healthcheck, `${name}: a health check`);
  }
}

function servicesOf(file: string): Record<string, any> {
  return parse(readFileSync(resolve(ROOT, file), 'utf8'), { merge: true }).services;
}

describe('docker compose', function () {
  this.timeout(400_000);

  it('shows the same dashboards and alerts in both stacks', () => {
    const [one, several] = FILES.map((file) => servicesOf(file));
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
      assert.deepEqual(resolved(a, FILES[0]), resolved(b, FILES[1]), name);
      for (const key of ['image', 'environment', 'healthcheck', 'deploy', 'ports', 'tmpfs']) {
        assert.deepEqual(a[key], b[key], `${name}: ${key}`);
      }
    }
    const rules = (file: string): unknown =>
      parse(readFileSync(join(ROOT, 'deploy/prometheus', file), 'utf8')).rule_files;
    assert.deepEqual(rules('prometheus.yml'), rules('prometheus.ha.yml'));
  });

  it('brings up one server on etcd with TLS, watched by Prometheus', async () => {
    const stack = await Stack.of(FILES[0]);
    assertHardened(stack.services);
    try {
      await stack.up();
      const healthy = async (): Promise<boolean> => (await stack.health('plinth')) === 'healthy';
      await eventually(healthy, 'a healthy server', 120_000);
      const id = await stack.container('plinth');
      const user = await run('docker', ['exec', id, 'id', '-u']);
      assert.notEqual(user.trim(), '0', 'the server is not root');
      await stack.fetchKubeconfig('plinth');
      await stack.kubectl('create', 'namespace', 'kept');
      const wanted = ['etcd etcd:2379 up', 'plinth plinth:6443 up'];
      const scraped = async (): Promise<boolean> =>
        (await stack.targets().catch(() => [])).join() === wanted.join();
      await eventually(scraped, 'Prometheus scrapes both', 60_000);
      // What is written outlives every process.
      await stack.compose('kill', '-s', 'KILL', 'etcd', 'plinth');
      await stack.up();
      await eventually(healthy, 'a healthy server again', 120_000);
      assert.match(await stack.kubectl('get', 'namespace', 'kept'), /Active/);
      await stack.compose('stop', 'plinth');
      const code = await run('docker', ['inspect', '-f', '{{.State.ExitCode}}', id]);
      assert.equal(code.trim(), '0', 'a stop is graceful');
    } finally {
      await stack.down();
    }
  });

  it('brings up three members and two servers, of which any one may go', async () => {
    const stack = await Stack.of(FILES[1]);
    assertHardened(stack.services);
    try {
      await stack.up();
      const healthy = async (): Promise<boolean> =>
        (await Promise.all(['plinth-1', 'plinth-2'].map((name) => stack.health(name)))).every(
          (health) => health === 'healthy',
        );
      await eventually(healthy, 'two healthy servers', 180_000);
      await stack.fetchKubeconfig('plinth-1');
      const works = async (name: string): Promise<void> => {
        const tried = (): Promise<boolean> =>
          stack.kubectl('create', 'namespace', name).then(
            () => true,
            (error: unknown) => String(error).includes('AlreadyExists'),
          );
        await eventually(tried, name, 60_000);
      };
      await works('with-all');
      const wanted = [
        ...['etcd etcd-1:2379 up', 'etcd etcd-2:2379 up', 'etcd etcd-3:2379 up'],
        ...['plinth plinth-1:6443 up', 'plinth plinth-2:6443 up'],
      ];
      const scraped = async (): Promise<boolean> =>
        (await stack.targets().catch(() => [])).join() === wanted.join();
      await eventually(scraped, 'Prometheus scrapes all', 60_000);
      // Until everything was up there was reason for alarm.
      const calm = async (): Promise<boolean> => (await stack.alarming()).length === 0;
      await eventually(calm, 'no alarm', 60_000);
      assert.equal(await stack.series('plinth_replica_revision'), 2);
      assert.equal(await stack.series('etcd_server_has_leader == 1'), 3);
      await stack.compose('kill', '-s', 'KILL', 'plinth-1');
      await works('without-a-server');
      await stack.compose('kill', '-s', 'KILL', 'etcd-2');
      await works('without-a-member');
      const gone = 'up == 0';
      await eventually(async () => (await stack.series(gone)) === 2, 'Prometheus notices', 60_000);
      await stack.compose('start', 'plinth-1', 'etcd-2');
      await eventually(healthy, 'all back', 120_000);
      await works('with-all-again');
    } finally {
      await stack.down();
    }
  });
});
