import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../api/clock.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import { makeDirectory } from '../../storage/make-directory.ts';
import { FlagError } from '../../config/command-line.ts';
import type { AuditConfig, DeliveryConfig } from '../../config/audit-flags.ts';
import { watchFiles } from '../../outbound/watched-file.ts';
import { readKubeconfig } from '../../outbound/kubeconfig.ts';
import type { AuditBackend } from './backend.ts';
import { QueuedBackend, type QueuedBackendOptions } from './queued-backend.ts';
import { RotatingFile } from './rotating-file.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

const STANDARD_OUTPUT = '-';
const BYTES_PER_MEGABYTE = 1024 * 1024;

interface BackendParts {
  readonly config: AuditConfig;
  readonly clock: Clock;
  readonly client: HttpsClient;
  readonly onProblem: (message: string, error: unknown) => void;
  /** Another file than before is used. */
  readonly onReload: (file: string) => void;
  readonly onLost: (backend: 'log' | 'webhook', events: number) => void;
}

/**
 * Where events go by the command line.
 *
 * @throws Error that names file and field
 */
export function auditBackends(parts: BackendParts): AuditBackend[] {
  const { auditLogPath, auditWebhookConfigFile } = parts.config;
  const backends: AuditBackend[] = [];
  if (auditLogPath !== undefined) backends.push(logBackend(parts, auditLogPath));
  if (auditWebhookConfigFile !== undefined) {
    backends.push(webhookBackend(parts, auditWebhookConfigFile));
  }
  return backends;
}

function logBackend(parts: BackendParts, path: string): AuditBackend {
  const append = path === STANDARD_OUTPUT ? toStandardOutput : toFile(parts, path);
  return new QueuedBackend({
    ...queueOptions(parts, 'Log'),
    deliver: (events) => append(`${events.join('\n')}\n`),
    onLost: (events) => parts.onLost('log', events),
  });
}

function toStandardOutput(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

function toFile({ config, clock }: BackendParts, path: string): (text: string) => Promise<void> {
  makeWritable(path);
  const rotation = {
    maxBytes: config.auditLogMaxsize * BYTES_PER_MEGABYTE,
    maxAgeDays: config.auditLogMaxage,
    maxBackups: config.auditLogMaxbackup,
  };
  const file = new RotatingFile(path, rotation, clock);
  return (text) => file.append(text);
}

/** @throws FlagError: a log that nothing can be added to is found now and not by its gaps */
function makeWritable(path: string): void {
  try {
    makeDirectory(dirname(path));
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new FlagError(`--audit-log-path: ${(error as Error).message}`);
  }
}

function webhookBackend(parts: BackendParts, file: string): AuditBackend {
  const { config, client, clock, onProblem, onReload } = parts;
  let server = readKubeconfig(file);
  const stopWatching = watchFiles({
    files: () => server.files,
    clock,
    onProblem,
    onChange() {
      server = readKubeconfig(file);
      onReload(file);
    },
  });
  const delivery = new WebhookDelivery({
    ...{ server: () => server, client, clock, onProblem },
    initialBackoffMs: config.auditWebhookInitialBackoff * 1000,
  });
  const queue = new QueuedBackend({
    ...queueOptions(parts, 'Webhook'),
    deliver: (events, signal) => delivery.deliver(events, signal),
    onLost: (events) => parts.onLost('webhook', events),
  });
  return {
    write: (event) => queue.write(event),
    hurry: () => queue.hurry(),
    async close() {
      stopWatching();
      await queue.close();
    },
  };
}

function queueOptions<B extends 'Log' | 'Webhook'>(
  { config, clock, onProblem }: BackendParts & { readonly config: DeliveryConfig<B> },
  backend: B,
): Omit<QueuedBackendOptions, 'deliver' | 'onLost'> {
  const isTruncating: boolean = config[`audit${backend}TruncateEnabled`];
  return {
    mode: config[`audit${backend}Mode`],
    maxBatch: config[`audit${backend}BatchMaxSize`],
    maxBatchBytes: config[`audit${backend}TruncateMaxBatchSize`],
    maxWaitMs: config[`audit${backend}BatchMaxWait`] * 1000,
    maxQueued: config[`audit${backend}BatchBufferSize`],
    maxEventBytes: isTruncating ? config[`audit${backend}TruncateMaxEventSize`] : undefined,
    ...{ clock, onProblem },
  };
}
