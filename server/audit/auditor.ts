import type { Logger } from 'pino';
import type { HttpsClient } from '../../admission/client/https-client.ts';
import type { Clock } from '../../api/clock.ts';
import { FlagError, type ServerConfig } from '../flags.ts';
import { CellFamily } from '../metrics/family.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Stage } from '../pipeline/exchange.ts';
import { watchFiles } from '../reload/watched-file.ts';
import { readKubeconfig } from '../review-webhooks/kubeconfig.ts';
import { auditRefusalStage, auditStage, type AuditOptions } from './audit-stage.ts';
import type { AuditBackend } from './backend.ts';
import { LogBackend } from './log-backend.ts';
import { readPolicy } from './policy-file.ts';
import { AuditDecider } from './policy.ts';
import { RotatingFile } from './rotating-file.ts';
import { WebhookBackend } from './webhook-backend.ts';

const STANDARD_OUTPUT = '-';
const BYTES_PER_MEGABYTE = 1024 * 1024;
const WEBHOOK_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export interface AuditParts {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly client: HttpsClient;
  readonly metrics: Metrics;
}

export interface Auditor {
  /** Before authentication. */
  readonly refusalStages: readonly Stage[];
  /** Behind it. */
  readonly stages: readonly Stage[];
  /** What was written has gone where it goes. */
  close(): Promise<void>;
}

const NO_AUDIT: Auditor = { refusalStages: [], stages: [], close: () => Promise.resolve() };

/**
 * What the command line says of auditing; without a policy requests do not
 * notice that there is such a thing.
 *
 * @throws FlagError, or Error that names file and field
 */
export function auditorOf(parts: AuditParts): Auditor {
  const { config, clock, log, metrics } = parts;
  const { auditPolicyFile: file, auditLogPath, auditWebhookConfigFile } = config;
  if (file === undefined) {
    if (auditLogPath === undefined && auditWebhookConfigFile === undefined) return NO_AUDIT;
    throw new FlagError(
      '--audit-log-path and --audit-webhook-config-file need --audit-policy-file',
    );
  }
  const errors = new CellFamily(
    'apiserver_audit_error_total',
    'counter',
    'Audit events that could not be kept: too many at a time, or nobody took them.',
    ['plugin'],
  );
  metrics.addFamilies([errors]);
  const onProblem = (message: string, error: unknown): void => log.error({ err: error }, message);
  const backends: AuditBackend[] = [];
  if (auditLogPath !== undefined) backends.push(logBackend(parts, auditLogPath, onProblem));
  if (auditWebhookConfigFile !== undefined) {
    const onLost = (events: number): void => void (errors.with('webhook').value += events);
    backends.push(webhookBackend(parts, auditWebhookConfigFile, onProblem, onLost));
  }
  let decider = new AuditDecider(readPolicy(file));
  const onChange = (): void => {
    decider = new AuditDecider(readPolicy(file));
    log.info({ file }, 'read again');
  };
  const stopWatching = watchFiles({ files: [file], clock, onChange, onProblem });
  const options: AuditOptions = {
    decider: () => decider,
    backends,
    clock,
    onWritten: () => metrics.access.auditEvent(),
    onLost: () => errors.with('queue').value++,
  };
  return {
    refusalStages: [auditRefusalStage(options)],
    stages: [auditStage(options)],
    async close() {
      stopWatching();
      await Promise.all(backends.map((backend) => backend.close()));
    },
  };
}

type OnProblem = (message: string, error: unknown) => void;

function logBackend({ config, clock }: AuditParts, path: string, onProblem: OnProblem): LogBackend {
  if (path === STANDARD_OUTPUT) {
    const append = (text: string): Promise<void> =>
      new Promise((resolve) => process.stdout.write(text, () => resolve()));
    return new LogBackend({ append, onProblem });
  }
  const rotation = {
    maxBytes: config.auditLogMaxsize * BYTES_PER_MEGABYTE,
    maxAgeDays: config.auditLogMaxage,
    maxBackups: config.auditLogMaxbackup,
  };
  const file = new RotatingFile(path, rotation, clock);
  return new LogBackend({ append: (text) => file.append(text), onProblem });
}

function webhookBackend(
  { config, clock, client }: AuditParts,
  file: string,
  onProblem: OnProblem,
  onLost: (events: number) => void,
): WebhookBackend {
  const { endpoint, authorization } = readKubeconfig(file);
  const post = async (body: string): Promise<void> => {
    const { status } = await client.call({
      endpoint,
      method: 'POST',
      path: endpoint.path,
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`);
  };
  return new WebhookBackend({
    post,
    maxBatch: config.auditWebhookBatchMaxSize,
    maxWaitMs: config.auditWebhookBatchMaxWait * 1000,
    maxQueued: config.auditWebhookBatchBufferSize,
    initialBackoffMs: config.auditWebhookInitialBackoff * 1000,
    clock,
    onProblem,
    onLost,
  });
}
