import type { Logger } from 'pino';
import type { HttpsClient } from '../../outbound/https-client.ts';
import type { Clock } from '../../api/clock.ts';
import { FlagError } from '../../config/command-line.ts';
import type { ServerConfig } from '../../config/flags.ts';
import { CellFamily } from '../../telemetry/metrics/family.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';
import type { Stage } from '../../http/exchange.ts';
import { watchFiles } from '../../outbound/watched-file.ts';
import { auditBackends } from './backends.ts';
import { auditRefusalStage, auditStage, type AuditOptions } from './audit-stage.ts';
import { readPolicy } from './policy-file.ts';
import { AuditDecider } from './policy.ts';

interface AuditParts {
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
  /** The server stops, so requests no longer wait long for their events. */
  hurry(): void;
  /** What was written has gone where it goes. */
  close(): Promise<void>;
}

const NO_AUDIT: Auditor = {
  refusalStages: [],
  stages: [],
  hurry: () => undefined,
  close: () => Promise.resolve(),
};

/**
 * What the command line says of auditing; without a policy requests do not
 * notice that there is such a thing.
 *
 * @throws FlagError, or Error that names file and field
 */
export function auditorOf(parts: AuditParts): Auditor {
  const { config, clock, log, client, metrics } = parts;
  const { auditPolicyFile: file, auditLogPath, auditWebhookConfigFile } = config;
  if (file === undefined) {
    if (auditLogPath === undefined && auditWebhookConfigFile === undefined) return NO_AUDIT;
    throw new FlagError(
      '--audit-log-path and --audit-webhook-config-file require --audit-policy-file',
    );
  }
  if (auditLogPath === undefined && auditWebhookConfigFile === undefined) {
    log.warn(
      '--audit-policy-file is set without --audit-log-path or --audit-webhook-config-file: no audit events are written',
    );
  }
  const errors = new CellFamily(
    'apiserver_audit_error_total',
    'counter',
    'Audit events that were lost because the queue was full or the backend failed.',
    ['plugin'],
  );
  metrics.addFamilies([errors]);
  const onProblem = (message: string, error: unknown): void => log.error({ err: error }, message);
  const onReload = (changed: string): void => log.info({ file: changed }, 'reloaded');
  const onLost = (plugin: string, events: number): void =>
    void (errors.with(plugin).value += events);
  const backends = auditBackends({ config, clock, client, onProblem, onReload, onLost });
  let decider = new AuditDecider(readPolicy(file));
  const onChange = (): void => {
    decider = new AuditDecider(readPolicy(file));
    onReload(file);
  };
  const stopWatching = watchFiles({ files: [file], clock, onChange, onProblem });
  const options: AuditOptions = {
    decider: () => decider,
    backends,
    clock,
    onWritten: () => metrics.access.auditEvent(),
  };
  return {
    refusalStages: [auditRefusalStage(options)],
    stages: [auditStage(options)],
    hurry() {
      for (const backend of backends) backend.hurry();
    },
    async close() {
      stopWatching();
      await Promise.all(backends.map((backend) => backend.close()));
    },
  };
}
