import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, servicesOf } from '../deploy/compose-files.ts';
import { blockOf, type } from '../docs/blocks.ts';
import { freePorts } from '../support/ports.ts';
import { afterRun } from '../support/run.ts';
import { diagnosisOf } from './diagnosis.ts';
import { baseImage } from './images/base-image.ts';
import { plinthImage } from './images/plinth-image.ts';
import { run } from './images/shell.ts';

/** Not among the programs that images can be made of here; its dashboard is tested on its own. */
const NOT_RUN = 'grafana';
/** Of the speed of the disk and of the processors, which are those of the machine that tests. */
const OF_THE_MACHINE = new Set(['EtcdSlowDisk', 'PlinthSlow', 'PlinthEventLoopBlocked']);

interface Browsed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A stack of a compose file, with images that were made on this machine. */
export class Stack {
  readonly port: number;
  readonly prometheusPort: number;
  readonly #file: string;
  readonly #project = `plinth-test-${process.pid}`;
  readonly #env: Record<string, string>;
  readonly #scratch = mkdtempSync(join(tmpdir(), 'plinth-stack-'));

  private constructor(file: string, ports: number[], images: { base: string; plinth: string }) {
    this.#file = join(ROOT, file);
    const mine = `--filter label=com.docker.compose.project=${this.#project}`;
    afterRun(`docker ps -aq ${mine} | xargs -r docker rm -fv`);
    for (const kind of ['volume', 'network']) {
      afterRun(`docker ${kind} ls -q ${mine} | xargs -r docker ${kind} rm`);
    }
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
      // Where a sync takes a second, members with the usual time of etcd elect one leader after the other.
      ETCD_HEARTBEAT_INTERVAL: '500',
      ETCD_ELECTION_TIMEOUT: '5000',
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
    return this.#explained(
      (await hasPlugin())
        ? run('docker', ['compose', ...all], options)
        : run('docker-compose', all, options),
    );
  }

  /** A failure with what the containers say of it. */
  async #explained<T>(done: Promise<T>): Promise<T> {
    try {
      return await done;
    } catch (error) {
      throw new Error(`${String(error)}\n${await diagnosisOf(this.#project)}`, { cause: error });
    }
  }

  /**
   * Types the commands of docs/operations.md below a heading, in a directory
   * of its own; what they leave there, the next ones find.
   *
   * @returns what they print
   */
  async follow(heading: string): Promise<string> {
    const { executedBy, commands } = blockOf('docs/operations.md', heading);
    assert.equal(executedBy, 'test/chaos/stack.test.ts', heading);
    const prelude = await this.#prelude();
    return this.#explained(type(commands, { cwd: this.#scratch, env: this.#env, prelude }));
  }

  /** What a reader's `docker compose` is here: this project, and what can be run of it. */
  async #prelude(): Promise<string> {
    const all = Object.keys(this.services).filter((name) => name !== NOT_RUN);
    return `
compose() { ${(await hasPlugin()) ? 'command docker compose' : 'docker-compose'} --compatibility -p ${this.#project} -f ${this.#file} "$@"; }
all='${all.join(' ')}'
hasPlugin=${String(await hasPlugin())}
source ${join(import.meta.dirname, 'compose.sh')}`;
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
    return run('kubectl', ['--kubeconfig', this.file('admin.kubeconfig'), ...args]);
  }

  /** A request of a browser, on a connection of its own. */
  browse(method: string, path: string, cookie?: string, body?: object): Promise<Browsed> {
    const headers = { 'x-plinth-console': '1', ...(cookie === undefined ? {} : { cookie }) };
    const options = { method, headers, rejectUnauthorized: false, agent: false as const };
    return new Promise((resolve, reject) => {
      const sent = request(`https://127.0.0.1:${this.port}${path}`, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        );
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** One that the commands of a page have left. */
  file(name: string): string {
    return join(this.#scratch, name);
  }

  /** `<job> <address> <health>` of everything that Prometheus scrapes. */
  async targets(): Promise<string[]> {
    const { activeTargets } = await this.#prometheus('targets');
    const told = activeTargets.map(
      ({ labels, health }: any) => `${labels.job} ${labels.instance} ${health}`,
    );
    return told.sort();
  }

  /** Alerts that cannot be evaluated, or that are on; not those about a slow machine. */
  async alarming(): Promise<string[]> {
    const { groups } = await this.#prometheus('rules');
    const rules: any[] = groups.flatMap((group: any) => group.rules);
    assert.ok(rules.length > 10, 'the alerts are there');
    return rules
      .filter(
        ({ name, state, health }) =>
          health === 'err' || (state !== 'inactive' && !OF_THE_MACHINE.has(name)),
      )
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

/** The compose of two numbers; the one before it is a program of its own. */
async function hasPlugin(): Promise<boolean> {
  return run('docker', ['compose', 'version']).then(
    () => true,
    () => false,
  );
}
