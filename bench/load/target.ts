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
  /** Undefined for a server that runs elsewhere: its CPU time is not known. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** A data directory that outlives the servers on it, until `remove`. */
export function dataDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'plinth-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts this build, on a fresh data directory unless one is given. `args` choose the store. */
export async function startPlinth(
  name: string,
  args: readonly string[],
  dataDir?: string,
): Promise<Target> {
  const dir = dataDir ?? mkdtempSync(join(tmpdir(), 'plinth-bench-'));
  const child = spawn(
    process.execPath,
    [
      'dist/server/main.js',
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
    pid: child.pid,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      if (dataDir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The same with an empty store of its own, `embedded` or `etcd`, which ends with the server. */
export async function startWithStore(
  store: string,
  args: readonly string[] = [],
  settings: EtcdSettings = {},
): Promise<Target> {
  if (store !== 'etcd') return startPlinth(store, args);
  const etcd = await TestEtcd.start(settings);
  const target = await startPlinth(store, [...args, '--etcd-servers', etcd.url]);
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
