#!/usr/bin/env node
import { pino, type Logger } from 'pino';
import { systemClock } from '../api/clock.ts';
import { openStore } from '../storage/open.ts';
import { runCommand } from './commands/command.ts';
import { COMMANDS } from './commands/commands.ts';
import { FlagError, parseFlags, type ServerConfig } from './flags.ts';
import { tuneGarbageCollector } from './garbage-collector.ts';
import { logOutput } from './log-output.ts';
import { startServer } from './server.ts';
import { storeOptionsOf } from './store-options.ts';
import { superviseWorkers } from './workers/supervisor.ts';
import { peersOf, isWorker, reportReady } from './workers/worker.ts';

const HEARTBEAT_MS = 60_000;
/** Files hold data and keys: what this process makes, stores of LMDB among it, is its owner's only. */
const PRIVATE_UMASK = 0o077;

/**
 * The process: reads the command line, wires the parts, serves until it is told
 * to stop, or does what an operator's command says. Whatever prevents that is one line on standard error and a non-zero
 * exit.
 */
async function main(): Promise<void> {
  process.umask(PRIVATE_UMASK);
  // Timers and sockets of the parts hold nothing up; without this a start that waits for one of
  // them would end the process, in silence and with success.
  const alive = setInterval(() => undefined, HEARTBEAT_MS);
  const write = (text: string): void => void process.stdout.write(text);
  const [name, ...args] = process.argv.slice(2);
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) {
    await runCommand(command, args, write);
    clearInterval(alive);
    return;
  }
  tuneGarbageCollector();
  const config = parseFlags(process.argv.slice(2), write);
  const output = logOutput(systemClock);
  const log = pino({ level: config.logLevel }, output.stream);
  if (config.workers > 1 && !isWorker()) {
    const onEnd = (pid: number | undefined): void => log.error({ pid }, 'a worker has ended');
    const use = { count: config.workers, clock: systemClock, onEnd };
    const supervisor = await superviseWorkers(use).catch(() => process.exit(1));
    write(supervisor.greeting);
    stopOnSignal(supervisor, log);
    return;
  }
  const store = await openStore(storeOptionsOf(config));
  const server = await startServer(config, {
    ...{ store, log, peers: peersOf(process.env), logBlocked: output.isBlocked },
  });
  const text = greeting(config, server.url, server.kubeconfig);
  if (isWorker()) reportReady(text);
  else write(text);
  stopOnSignal(server, log);
}

/** The first signal drains, the second one ends the process. */
function stopOnSignal(running: { stop(): Promise<void> }, log: Logger): void {
  let stopping = false;
  const stop = (signal: string): void => {
    // Exiting would wait for a transaction that waits for this thread; the store survives this.
    if (stopping) process.kill(process.pid, 'SIGKILL');
    stopping = true;
    log.info({ signal }, 'shutting down');
    running.stop().then(
      () => log.flush(() => process.exit(0)),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  // A terminal sends it to every process: workers wait for their supervisor's word.
  process.on('SIGINT', isWorker() ? () => undefined : stop);
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
