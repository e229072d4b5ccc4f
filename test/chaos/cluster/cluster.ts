import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GenericContainer,
  Network,
  Wait,
  type StartedNetwork,
  type StartedTestContainer,
} from 'testcontainers';
import { afterRun, RUN } from '../../support/run.ts';
import { baseImage, FAKETIME } from '../images/base-image.ts';
import { plinthImage } from '../images/plinth-image.ts';
import { EtcdAdmin } from './etcd-admin.ts';
import { Part } from './part.ts';

export const TOKEN = 'chaos-token-0123456789';
/** Small, so that it can be filled in a test. */
export const QUOTA_BYTES = 64 * 1024 * 1024;
const ETCD_NAMES = ['etcd-1', 'etcd-2', 'etcd-3'] as const;
const PLINTH_NAMES = ['plinth-1', 'plinth-2'] as const;
/** The server whose clock can be moved. */
const MOVABLE_CLOCK = 'plinth-2';
const HOUR_MS = 3_600_000;
/** By which containers are found that an interrupted run has left. */
const LABEL = 'plinth-test-run';

/**
 * Three members of etcd and two servers, each in a container. Servers reach etcd
 * by one network and are reached by clients on another, so that each can be cut
 * on its own.
 */
export class ChaosCluster {
  readonly etcds: Part[] = [];
  readonly plinths: Part[] = [];
  readonly #stores: StartedNetwork;
  readonly #front: StartedNetwork;
  readonly #started: StartedTestContainer[] = [];
  readonly #directory = mkdtempSync(join(tmpdir(), 'plinth-chaos-'));
  readonly #urls = new Map<Part, string>();

  private constructor(stores: StartedNetwork, front: StartedNetwork) {
    this.#stores = stores;
    this.#front = front;
  }

  static async start(): Promise<ChaosCluster> {
    afterRun(`docker ps -aq --filter label=${LABEL}=${RUN} | xargs -r docker rm -fv`);
    const networks = [await new Network().start(), await new Network().start()] as const;
    for (const network of networks) afterRun(`docker network rm ${network.getName()}`);
    const cluster = new ChaosCluster(...networks);
    try {
      await cluster.#startAll();
      return cluster;
    } catch (error) {
      await cluster.dispose();
      throw error;
    }
  }

  /** Where clients reach a server; stays what it was while the server is down. */
  url(plinth: Part): string {
    return this.#urls.get(plinth) ?? '';
  }

  /** Containers may come back with another address. */
  async refreshAddresses(): Promise<void> {
    for (const plinth of this.plinths) {
      const address = await plinth.address(this.#front);
      if (address !== undefined) this.#urls.set(plinth, `https://${address}:6443`);
    }
  }

  /** Cuts a part from the members of etcd. */
  async cut(part: Part): Promise<void> {
    await part.cut(this.#stores);
  }
  async join(part: Part): Promise<void> {
    await part.join(this.#stores);
  }

  /** etcd's own client at the members that can be reached. */
  async admin(): Promise<EtcdAdmin> {
    const endpoints = new Map<Part, string>();
    for (const member of this.etcds) {
      const address = await member.address(this.#stores);
      if (address !== undefined) endpoints.set(member, `http://${address}:2379`);
    }
    return new EtcdAdmin(endpoints);
  }

  /** Moves the clock of one server by so many seconds; 0 puts it right. */
  moveClock(seconds: number): void {
    writeFileSync(join(this.#directory, 'clock'), `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  }

  /** How many syncs to disk have taken a member longer than this, as it says itself. */
  async slowSyncs(member: Part, thanMs: number): Promise<number> {
    const address = await member.address(this.#stores);
    const text = await (await fetch(`http://${address}:2379/metrics`)).text();
    const metric = 'etcd_disk_wal_fsync_duration_seconds';
    const buckets = [...text.matchAll(new RegExp(`^${metric}_bucket{le="(.*)"} (.*)$`, 'gm'))];
    const quick = buckets.filter(([, le]) => Number(le) * 1_000 <= thanMs).at(-1)?.[2];
    const all = new RegExp(`^${metric}_count (.*)$`, 'm').exec(text)?.[1];
    return Number(all) - Number(quick);
  }

  async logs(): Promise<string> {
    const logs = await Promise.all(
      [...this.etcds, ...this.plinths].map(async (part) => `--- ${part.name}\n${await part.log()}`),
    );
    return logs.join('\n');
  }

  async dispose(): Promise<void> {
    // A frozen container cannot be stopped.
    for (const part of [...this.etcds, ...this.plinths])
      await part.unpause().catch(() => undefined);
    await Promise.all(this.#started.map((container) => container.stop({ timeout: 1_000 })));
    await this.#stores.stop();
    await this.#front.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #startAll(): Promise<void> {
    const [base, plinth] = [await baseImage(), await plinthImage()];
    writeFileSync(join(this.#directory, 'tokens.csv'), `${TOKEN},chaos,1,"system:masters"\n`);
    this.moveClock(0);
    chmodSync(this.#directory, 0o755);
    await Promise.all(
      ETCD_NAMES.map(async (name) => this.etcds.push(await this.#startEtcd(base, name))),
    );
    for (const name of PLINTH_NAMES) this.plinths.push(await this.#startPlinth(plinth, name));
    await this.refreshAddresses();
  }

  async #startEtcd(image: string, name: string): Promise<Part> {
    const container = await new GenericContainer(image)
      .withNetwork(this.#stores)
      .withNetworkAliases(name)
      .withLabels({ [LABEL]: RUN })
      // For the fault that makes its disk slow.
      .withAddedCapabilities('SYS_PTRACE')
      .withCommand([
        'etcd',
        `--name=${name}`,
        '--data-dir=/etcd-data',
        '--listen-client-urls=http://0.0.0.0:2379',
        `--advertise-client-urls=http://${name}:2379`,
        '--listen-peer-urls=http://0.0.0.0:2380',
        `--initial-advertise-peer-urls=http://${name}:2380`,
        `--initial-cluster=${ETCD_NAMES.map((peer) => `${peer}=http://${peer}:2380`).join(',')}`,
        `--quota-backend-bytes=${QUOTA_BYTES}`,
        // What is not in a snapshot is in memory, and filling the store is a lot of it.
        '--snapshot-count=5000',
        '--logger=zap',
        '--log-level=warn',
      ])
      .withWaitStrategy(Wait.forSuccessfulCommand('etcdctl endpoint health'))
      .start();
    this.#started.push(container);
    return Part.of(name, container);
  }

  async #startPlinth(image: string, name: string): Promise<Part> {
    const data = join(this.#directory, name);
    mkdirSync(data);
    chmodSync(data, 0o777);
    const movable = name === MOVABLE_CLOCK;
    const container = await new GenericContainer(image)
      .withNetwork(this.#stores)
      .withNetworkAliases(name)
      .withLabels({ [LABEL]: RUN })
      .withBindMounts([
        { source: this.#directory, target: '/config', mode: 'ro' },
        { source: data, target: '/data', mode: 'rw' },
      ])
      .withEnvironment(
        movable
          ? {
              LD_PRELOAD: FAKETIME,
              FAKETIME_TIMESTAMP_FILE: '/config/clock',
              FAKETIME_CACHE_DURATION: '1',
              DONT_FAKE_MONOTONIC: '1',
            }
          : {},
      )
      .withHealthCheck({ test: ['CMD', 'true'], interval: HOUR_MS })
      .withCommand([
        ...['--data-dir', '/data', '--bind-address', '0.0.0.0', '--log-level', 'warn'],
        ...['--token-auth-file', '/config/tokens.csv'],
        ...['--replica-comparison-interval', '5'],
        ...['--etcd-servers', ETCD_NAMES.map((peer) => `http://${peer}:2379`).join(',')],
      ])
      .withWaitStrategy(Wait.forLogMessage(/serves https/))
      .start();
    this.#started.push(container);
    const part = await Part.of(name, container);
    await part.join(this.#front);
    return part;
  }
}
