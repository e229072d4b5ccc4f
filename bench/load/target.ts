import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestEtcd, type EtcdSettings } from '../../test/support/etcd.ts';
import { endpointOf, type Endpoint } from './client.ts';

/** A server that the benchmark drives. */
export interface Target {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Group of the Lease kind: another server of this API may call it differently. */
  readonly group: string;
  /** Undefined for a server that runs elsewhere: its CPU time is not known. */
  readonly pid: number | undefined;
  /** The processes whose CPU time counts: the server's, and others that belong to it. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** A data directory that outlives the servers on it, until `remove`. */
export function dataDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'plinth-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Group of the Lease kind in Plinth. */
export const PLINTH_GROUP = 'coordination.cluster.io';

/** Where `npm run build` puts the server. */
const BUILD = 'dist';

/** Starts a build, on a fresh data directory unless one is given. `args` choose the store. */
export async function startPlinth(
  name: string,
  args: readonly string[],
  dataDir?: string,
  build = BUILD,
): Promise<Target> {
  const dir = dataDir ?? mkdtempSync(join(tmpdir(), 'plinth-bench-'));
  const child = spawn(
    process.execPath,
    [
      join(build, 'server/main.js'),
      '--data-dir',
      dir,
      '--secure-port',
      '0',
      '--log-level',
      'warn',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await ready(child);
  return {
    name,
    endpoint: endpointOf(join(dir, 'admin.kubeconfig')),
    group: PLINTH_GROUP,
    pid: child.pid,
    pids: child.pid === undefined ? [] : [child.pid],
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      if (dataDir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The same with an empty store of its own, `embedded` or `etcd`, which ends with the server. `build`: a directory. */
export async function startWithStore(
  store: string,
  args: readonly string[] = [],
  settings: EtcdSettings = {},
  build = BUILD,
): Promise<Target> {
  if (store !== 'etcd') return startPlinth(store, args, undefined, build);
  const etcd = await TestEtcd.start(settings);
  const target = await startPlinth(store, [...args, '--etcd-servers', etcd.url], undefined, build);
  return {
    ...target,
    async stop() {
      await target.stop();
      await etcd.dispose();
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('serves https://')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code ?? 'a signal'}`)));
  });
}
