#!/usr/bin/env node
import { fork, type ChildProcess } from 'node:child_process';
import { hostname } from 'node:os';
import { pino, type Logger } from 'pino';
import { systemClock } from '../api/clock.ts';
import { openStore } from '../storage/open.ts';
import { runCommand } from './commands/command.ts';
import { argumentsOf, commandOf, commandsHelp } from './commands/commands.ts';
import { parseFlags, type ServerConfig } from '../config/flags.ts';
import { keepCompiledCode } from './compile-cache.ts';
import { tuneGarbageCollector } from './garbage-collector.ts';
import { logOutput } from '../telemetry/logs/log-output.ts';
import { ProcessExit } from './process-exit.ts';
import { loggedError } from '../telemetry/logs/logged-error.ts';
import { embeddedDirectory, storeOptionsOf } from './store-options.ts';
import { isAfterKill, isStoreOwner, ownerEnvironment, ownStore } from './workers/store-owner.ts';
import { superviseWorkers } from './workers/supervisor.ts';
import {
  peersOf,
  isWorker,
  reportClosedConnections,
  reportCorrupt,
  reportReady,
  SupervisedAttempts,
} from './workers/worker.ts';

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
  const given = argumentsOf(process.argv.slice(2));
  const [word, ...args] = given;
  const command = commandOf(word);
  if (command !== undefined) {
    await runCommand(command, args, write);
    clearInterval(alive);
    return;
  }
  tuneGarbageCollector();
  const config = parseFlags(given, write, commandsHelp());
  if (isStoreOwner(process.env)) {
    const afterKill = isAfterKill(process.env);
    await ownStore({ dir: embeddedDirectory(config), afterKill }, exit);
    return;
  }
  const onSignal = endOnSignal();
  const output = logOutput(systemClock);
  const log = pino({ level: config.logLevel, serializers: { err: loggedError } }, output.stream);
  if (config.workers > 1 && !isWorker()) {
    const supervisor = await superviseWorkers({
      ...{ count: config.workers, clock: systemClock },
      forkOwner: config.storage === 'embedded' ? forkOwner : undefined,
      onEnd: (what, pid) => log.error({ pid }, `${what} exited`),
      // every other process ends with this one
      onFailed: () => process.exit(1),
    }).catch(() => process.exit(1));
    write(supervisor.greeting);
    onSignal(stopOf(supervisor, log, config));
    return;
  }
  if (isWorker()) reportClosedConnections();
  // Commands, --help and the supervisor of workers do not wait for all of the server to load.
  keepCompiledCode(config.dataDir);
  const { startServer } = await import('./server.ts');
  const onCorrupt = (error: Error): void => {
    void exit.fail(error);
    if (isWorker()) reportCorrupt();
  };
  const opening = openStore(storeOptionsOf(config, onCorrupt));
  if (config.storage === 'embedded') exit.holds(opening);
  const store = await opening;
  const server = await startServer(config, {
    ...{ store, log, peers: peersOf(process.env), logBlocked: output.isBlocked },
    attempts: isWorker() ? new SupervisedAttempts() : undefined,
  });
  const text = greeting(config, server);
  if (isWorker()) reportReady(text);
  else write(text);
  onSignal(stopOf(server, log, config));
}

/** This program with its arguments, as the process that owns the store of the workers. */
function forkOwner(afterKill: boolean): ChildProcess {
  const [, program = '', ...args] = process.argv;
  return fork(program, args, { env: { ...process.env, ...ownerEnvironment(afterKill) } });
}

type Stop = (signal: string) => Promise<void>;

/**
 * The first signal ends the process, the second one at once. Before the server
 * is up, ending means closing the store; the returned function replaces that
 * action later.
 */
function endOnSignal(): (stop: Stop) => void {
  let stopping = false;
  let stop: Stop = () => Promise.resolve();
  const onSignal = (signal: string): void => {
    // Exiting would wait for a transaction that waits for this thread; the store survives this.
    if (stopping) process.kill(process.pid, 'SIGKILL');
    stopping = true;
    stop(signal).then(
      () => exit.end(0),
      (error: unknown) => exit.fail(error),
    );
  };
  process.on('SIGTERM', onSignal);
  // A terminal sends it to every process: workers wait for their supervisor's word.
  process.on('SIGINT', isWorker() ? () => undefined : onSignal);
  return (next) => (stop = next);
}

/** Time limit of all steps of a stop, in addition to the grace period. */
const STOP_LIMIT_MS = 30_000;

/** Drains, and writes the log to its end; a stop that hangs ends the process. */
function stopOf(
  running: { stop(): Promise<void> },
  log: Logger,
  { shutdownDelaySeconds, shutdownGraceSeconds }: ServerConfig,
): Stop {
  const limitMs = (shutdownDelaySeconds + shutdownGraceSeconds) * 1000 + STOP_LIMIT_MS;
  return async (signal) => {
    log.info({ signal }, 'shutting down');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), limitMs).unref();
    await running.stop();
    await new Promise<void>((resolve) => log.flush(() => resolve()));
  };
}

function greeting(
  config: ServerConfig,
  {
    url,
    kubeconfig,
    consoleLink,
  }: { url: string; kubeconfig: string; consoleLink: string | undefined },
): string {
  const where =
    config.storage === 'etcd'
      ? `etcd at ${config.etcdServers.join(', ')}`
      : `the embedded store in ${config.dataDir}`;
  const serves = `Plinth serves ${url} on ${where}`;
  // What is not read by a person is read by a program, as the lines that follow it.
  if (!process.stdout.isTTY) {
    const line = { level: pino.levels.values['info'], time: systemClock.now(), pid: process.pid };
    const link = consoleLink === undefined ? {} : { console: consoleLink };
    return `${JSON.stringify({ ...line, hostname: hostname(), msg: serves, ...link })}\n`;
  }
  return [
    `${serves}.`,
    '',
    `  export KUBECONFIG=${kubeconfig}`,
    '  kubectl get namespaces',
    '  kubectl api-resources',
    ...(consoleLink === undefined
      ? []
      : ['', `  ${consoleLink}  (signs in once, within 15 minutes)`]),
    '',
  ].join('\n');
}

const exit = new ProcessExit();
process.on('uncaughtException', (error) => void exit.crash(error));
main().catch((error: unknown) => exit.fail(error));
