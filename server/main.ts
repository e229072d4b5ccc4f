#!/usr/bin/env node
import { pino } from 'pino';
import { openStore } from '../storage/open.ts';
import { FlagError, parseFlags, type ServerConfig } from './flags.ts';
import { startServer } from './server.ts';
import { storeOptionsOf } from './store-options.ts';

/**
 * The process: reads the command line, wires the parts, serves until it is told
 * to stop. Whatever prevents that is one line on standard error and a non-zero
 * exit.
 */
async function main(): Promise<void> {
  const write = (text: string): void => void process.stdout.write(text);
  const config = parseFlags(process.argv.slice(2), write);
  const log = pino({ level: config.logLevel }, pino.destination({ sync: false }));
  const store = await openStore(storeOptionsOf(config));
  const server = await startServer(config, { store, log });
  write(greeting(config, server.url, server.kubeconfig));

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'shutting down');
    server.stop().then(
      () => log.flush(() => process.exit(0)),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function greeting(config: ServerConfig, url: string, kubeconfig: string): string {
  const where =
    config.storage === 'etcd'
      ? `etcd at ${config.etcdServers.join(', ')}`
      : `the embedded store in ${config.dataDir}`;
  return [
    `Plinth serves ${url} on ${where}.`,
    '',
    `  export KUBECONFIG=${kubeconfig}`,
    '  kubectl get namespaces',
    '  kubectl api-resources',
    '',
  ].join('\n');
}

function fail(error: unknown): never {
  if (error instanceof FlagError && error.exitCode === 0) process.exit(0);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`plinth: ${message.split('\n')[0] ?? ''}\n`);
  process.exit(error instanceof FlagError ? error.exitCode : 1);
}

main().catch(fail);
