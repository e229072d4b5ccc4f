import type { Flag } from './flag.ts';
import { integerBetween, secondsBetween } from './parsers.ts';

/** What is written down of requests, and where. */
export interface AuditConfig {
  readonly auditPolicyFile: string | undefined;
  readonly auditLogPath: string | undefined;
  readonly auditLogMaxsize: number;
  readonly auditLogMaxage: number;
  readonly auditLogMaxbackup: number;
  readonly auditWebhookConfigFile: string | undefined;
  readonly auditWebhookBatchBufferSize: number;
  readonly auditWebhookBatchMaxSize: number;
  readonly auditWebhookBatchMaxWait: number;
  readonly auditWebhookInitialBackoff: number;
}

export const AUDIT_FLAGS: readonly Flag<AuditConfig>[] = [
  {
    name: 'auditPolicyFile',
    flags: '--audit-policy-file <file>',
    description:
      'file with the audit Policy (audit.k8s.io/v1): how much is written of which requests; read again when it changes. Without it nothing is written',
  },
  {
    name: 'auditLogPath',
    flags: '--audit-log-path <file>',
    description: 'file for audit events, one to a line; - for standard output',
  },
  {
    name: 'auditLogMaxsize',
    flags: '--audit-log-maxsize <megabytes>',
    description: 'the file is put aside before it grows beyond this',
    default: 100,
    parse: integerBetween(1, 100_000),
  },
  {
    name: 'auditLogMaxage',
    flags: '--audit-log-maxage <days>',
    description: 'how long files that were put aside are kept; 0: for ever',
    default: 0,
    parse: integerBetween(0, 100_000),
  },
  {
    name: 'auditLogMaxbackup',
    flags: '--audit-log-maxbackup <files>',
    description: 'how many files that were put aside are kept; 0: all',
    default: 0,
    parse: integerBetween(0, 100_000),
  },
  {
    name: 'auditWebhookConfigFile',
    flags: '--audit-webhook-config-file <file>',
    description: 'kubeconfig of a server that takes audit events',
  },
  {
    name: 'auditWebhookBatchBufferSize',
    flags: '--audit-webhook-batch-buffer-size <events>',
    description: 'how many events may wait to be sent; more are lost',
    default: 10_000,
    parse: integerBetween(1, 1_000_000),
  },
  {
    name: 'auditWebhookBatchMaxSize',
    flags: '--audit-webhook-batch-max-size <events>',
    description: 'how many events are sent at once',
    default: 400,
    parse: integerBetween(1, 100_000),
  },
  {
    name: 'auditWebhookBatchMaxWait',
    flags: '--audit-webhook-batch-max-wait <seconds>',
    description: 'how long an event waits for others before it is sent',
    default: 30,
    parse: secondsBetween(0, 3600),
  },
  {
    name: 'auditWebhookInitialBackoff',
    flags: '--audit-webhook-initial-backoff <seconds>',
    description: 'how long to wait after a failure before the events are sent again',
    default: 10,
    parse: secondsBetween(0, 3600),
  },
];
