import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { H2Client } from '../../storage/etcd/h2-client.ts';
import type { TlsMaterial } from '../../storage/etcd/tls-files.ts';
import type { EtcdClient } from '../../storage/etcd/client.ts';
import { findEtcd } from './etcd-binary.ts';
import { freePorts, onFreePorts } from './ports.ts';
import { untilStopped } from './stopped-process.ts';

export interface EtcdSettings {
  name?: string;
  quotaBytes?: number;
  /** Names the cluster: another token makes another cluster id at the same address. */
  token?: string;
  /** All peer URLs of the cluster by member name, for more than one member. */
  initialCluster?: string;
  peerUrl?: string;
  tls?: { caFile: string; certFile: string; keyFile: string; client: TlsMaterial };
  binary?: string;
  /** Waits for the disk, as etcd does in earnest. */
  syncs?: boolean;
}

/** Less than the time of a test, so that a failure says what etcd has said. */
const START_TIMEOUT_MS = 100_000;
/** Of one call; an etcd that starts answers it when it serves. */
const CALL_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 30_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** An etcd process with data of its own; stops, dies, freezes and comes back on command. */
export class TestEtcd {
  readonly url: string;
  readonly #directory: string;
  readonly #peerUrl: string;
  #settings: EtcdSettings;
  #child: ChildProcess | undefined;
  #log = '';

  private constructor(directory: string, port: number, peerUrl: string, settings: EtcdSettings) {
    this.url = `${settings.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
    this.#directory = directory;
    this.#peerUrl = peerUrl;
    this.#settings = settings;
  }

  /** Prepares a member without starting it. */
  static async prepare(settings: EtcdSettings = {}): Promise<TestEtcd> {
    const directory = await mkdtemp(join(tmpdir(), 'plinth-etcd-'));
    const [port, peerPort] = await freePorts(2);
    const peerUrl = settings.peerUrl ?? `http://127.0.0.1:${peerPort}`;
    return new TestEtcd(directory, port!, peerUrl, settings);
  }

  /** Leaves nothing when it fails. */
  static async start(settings: EtcdSettings = {}): Promise<TestEtcd> {
    return onFreePorts(async () => {
      const etcd = await TestEtcd.prepare(settings);
      try {
        await etcd.start();
        return etcd;
      } catch (error) {
        await etcd.dispose();
        throw error;
      }
    });
  }

  /** Starts on the data that is there, and waits until it takes calls. */
  async start(): Promise<void> {
    await this.spawn();
    await this.ready();
  }

  async spawn(): Promise<void> {
    const path = this.#settings.binary ?? (await findEtcd()).path;
    const child = spawn(path, this.#arguments(), { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#log = '';
    running.add(child);
    child.once('exit', () => running.delete(child));
    const keep = (chunk: Buffer): void => {
      this.#log = (this.#log + chunk.toString()).slice(-4_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
  }

  async ready(): Promise<void> {
    const client = this.client();
    try {
      for (const deadline = performance.now() + START_TIMEOUT_MS; ;) {
        if (!this.#isRunning) throw new Error(`etcd ended at start:\n${this.#log}`);
        const timeoutMs = CALL_TIMEOUT_MS;
        const answer = client.call('range', { key: Buffer.from('x') }, { timeoutMs });
        // Refused for want of a token is an answer, too.
        const error = await answer.then(
          () => undefined,
          (reason: unknown) => reason as Error,
        );
        if (error === undefined || /user name is empty|permission/.test(error.message)) return;
        if (performance.now() > deadline) {
          throw new Error(`etcd does not answer: ${error.message}\n${this.#log}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      client.close();
    }
  }

  client(): EtcdClient {
    return new H2Client(this.url, this.#settings.tls?.client ?? {});
  }

  /** Ends it in good order. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Ends it as a power cut would end the process. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Stops it from running while all connections stay open; once this returns it answers nothing. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
    if (this.#child?.pid !== undefined) untilStopped(this.#child.pid);
  }
  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Another cluster, without any data, at the same address. */
  async replace(changes: Partial<EtcdSettings> = {}): Promise<void> {
    await this.kill();
    await rm(join(this.#directory, 'data'), { recursive: true, force: true });
    this.#settings = { ...this.#settings, ...changes };
    await this.start();
  }

  get dataDirectory(): string {
    return join(this.#directory, 'data');
  }
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Ends it and removes its data. */
  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  get #isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  #arguments(): string[] {
    const { name = 'default', quotaBytes, token = 'test', initialCluster, tls } = this.#settings;
    const pairs: Record<string, string> = {
      name: name,
      'data-dir': this.dataDirectory,
      'listen-client-urls': this.url,
      'advertise-client-urls': this.url,
      'listen-peer-urls': this.#peerUrl,
      'initial-advertise-peer-urls': this.#peerUrl,
      'initial-cluster': initialCluster ?? `${name}=${this.#peerUrl}`,
      'initial-cluster-token': token,
      'log-level': 'error',
      logger: 'zap',
      ...(quotaBytes === undefined ? {} : { 'quota-backend-bytes': String(quotaBytes) }),
      ...(tls === undefined
        ? {}
        : {
            'cert-file': tls.certFile,
            'key-file': tls.keyFile,
            'trusted-ca-file': tls.caFile,
            'client-cert-auth': 'true',
          }),
    };
    const list = Object.entries(pairs).map(([key, value]) => `--${key}=${value}`);
    // A killed process loses nothing that it has written; only a machine would.
    return this.#settings.syncs === true ? list : [...list, '--unsafe-no-fsync'];
  }
}
