import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { parse } from 'yaml';
import { freePorts, onFreePorts } from './ports.ts';

/** Less than the time of a test, so that a failure says what the server has said. */
const START_TIMEOUT_MS = 100_000;

export interface PlinthOptions {
  /** In addition to --data-dir and --secure-port. */
  args?: string[];
  /** Of Node itself. */
  nodeArgs?: string[];
  /** Keeps the data of an earlier one. */
  dataDir?: string;
  port?: number;
  /** Another program than that of the build. */
  program?: string;
  /** How many files each of its processes may open; as many as this process unless set. */
  openFiles?: number;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  text: string;
  /** The body as JSON; undefined when it is none. */
  json: any;
}

/**
 * A real server process from the build in dist/, with data of its own. Stops by
 * its pid; what it leaves is removed by `dispose`.
 */
export class Plinth {
  readonly dataDir: string;
  readonly #args: string[];
  readonly #nodeArgs: string[];
  readonly #program: string;
  readonly #openFiles: number | undefined;
  #port: number | undefined;
  #child: ChildProcess | undefined;
  #agent = new Agent();
  /** Shows no certificate: for requests whose headers say who asks. */
  #stranger = new Agent();
  url = '';
  output = '';

  private constructor(options: PlinthOptions) {
    this.dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'plinth-test-'));
    this.#args = options.args ?? [];
    this.#nodeArgs = options.nodeArgs ?? [];
    this.#program = options.program ?? 'dist/server/main.js';
    this.#openFiles = options.openFiles;
    this.#port = options.port;
  }

  /** Leaves nothing when it fails, except data of an earlier one. */
  static async start(options: PlinthOptions = {}): Promise<Plinth> {
    return onFreePorts(async () => {
      const plinth = new Plinth(options);
      try {
        await plinth.start();
        return plinth;
      } catch (error) {
        if (options.dataDir === undefined) await plinth.dispose();
        throw error;
      }
    });
  }

  get kubeconfig(): string {
    return join(this.dataDir, 'admin.kubeconfig');
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** Null while it runs, and after a signal. */
  get exitCode(): number | null {
    return this.#child!.exitCode;
  }

  /** Starts it, or starts it again on its data and port. */
  async start(): Promise<void> {
    this.output = '';
    this.#port ??= (await freePorts(1))[0]!;
    const limit = this.#openFiles === undefined ? '' : `ulimit -n ${this.#openFiles}; `;
    const child = spawn(
      'sh',
      [
        ...['-c', `${limit}exec "$0" "$@"`, process.execPath],
        ...this.#nodeArgs,
        this.#program,
        ...['--data-dir', this.dataDir, '--secure-port', String(this.#port)],
        ...['--log-level', 'warn', ...this.#args],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.#child = child;
    try {
      await this.#served(child);
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
    this.#agent = this.#makeAgent();
    const { ca } = this.#agent.options;
    this.#stranger = new Agent({ keepAlive: true, ca });
  }

  /** Resolves when it says where it serves. */
  #served(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no start: ${this.output}`)),
        START_TIMEOUT_MS,
      );
      const onText = (text: Buffer): void => {
        this.output += text.toString();
        const url = /serves (https:\/\/\S+)/.exec(this.output)?.[1];
        if (url === undefined) return;
        this.url = url;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on('data', onText);
      child.stderr.on('data', onText);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`ended with ${code}: ${this.output}`));
      });
    });
  }

  /** Ends it and waits; its data stay. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const code = await ended;
    this.#agent.destroy();
    this.#stranger.destroy();
    return code;
  }

  /** The next request opens a connection of its own. */
  disconnect(): void {
    this.#agent.destroy();
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** A request as the administrator, unless other headers say who asks. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const payload =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const req = request(
        new URL(path, this.url),
        {
          method,
          agent: 'authorization' in headers ? this.#stranger : this.#agent,
          headers: {
            ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
            ...(payload === undefined
              ? {}
              : { 'content-length': String(Buffer.byteLength(payload)) }),
            ...headers,
          },
        },
        (res) => {
          const chunks: Buffer[] = [];
          res.on('data', (chunk: Buffer) => chunks.push(chunk));
          res.on('error', reject);
          res.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const text = bytes.toString();
            resolve({
              status: res.statusCode ?? 0,
              headers: res.headers,
              bytes,
              text,
              json: asJson(text),
            });
          });
        },
      );
      req.on('error', reject);
      req.end(payload);
    });
  }

  get(path: string, headers?: Record<string, string>): Promise<Reply> {
    return this.send('GET', path, undefined, headers);
  }

  /** Frames of a watch as they come; `close` ends it. */
  async watch(
    path: string,
    onFrame: (frame: any) => void,
  ): Promise<{ close: () => void; ended: Promise<void> }> {
    return new Promise((resolve, reject) => {
      const req = request(new URL(path, this.url), { agent: this.#makeAgent() }, (res) => {
        let rest = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop()!;
          for (const line of lines) if (line !== '') onFrame(JSON.parse(line));
        });
        const ended = new Promise<void>((done) => {
          res.on('close', () => done());
          res.on('error', () => done());
        });
        resolve({ close: () => req.destroy(), ended });
      });
      req.on('error', reject);
      req.end();
    });
  }

  /** What a TLS client needs to be the administrator. */
  get tls(): { ca: string; cert: string; key: string } {
    const config = parse(readFileSync(this.kubeconfig, 'utf8'));
    const decode = (text: string): string => Buffer.from(text, 'base64').toString();
    const { user } = config.users[0];
    return {
      ca: decode(config.clusters[0].cluster['certificate-authority-data']),
      cert: decode(user['client-certificate-data']),
      key: decode(user['client-key-data']),
    };
  }

  #makeAgent(): Agent {
    return new Agent({ keepAlive: true, ...this.tls });
  }
}

function asJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Between two probes at first; later a part of what has been waited, so that long waits cost little. */
const PROBE_MS = 20;
const PROBE_PART = 0.1;
const PROBE_MOST_MS = 500;

/** Shorter than mocha's own limit (.mocharc.json), so that a failure names its condition. */
const PATIENCE_MS = 240_000;

/**
 * Waits until `probe` holds; polls, because what it waits for comes from another process.
 * `ms` is given only where the time itself is what is promised.
 */
export async function eventually(
  probe: () => boolean | Promise<boolean>,
  what: string,
  ms = PATIENCE_MS,
): Promise<void> {
  const begin = performance.now();
  while (!(await probe())) {
    const waited = performance.now() - begin;
    if (waited > ms) throw new Error(`did not come: ${what}`);
    const pause = Math.min(PROBE_MOST_MS, PROBE_MS + waited * PROBE_PART);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
