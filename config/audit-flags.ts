import { AUDIT_API_VERSION } from '../api/naming.ts';
import type { Flag } from './flag.ts';
import { integerBetween, secondsBetween, trueOrFalse } from './parsers.ts';

/**
 * When a request continues: at once (`batch`), after the backend has taken its
 * event (`blocking`), or only if the backend takes it (`blocking-strict`).
 */
const AUDIT_MODES = ['batch', 'blocking', 'blocking-strict'] as const;
export type AuditMode = (typeof AUDIT_MODES)[number];

/** What is written down of requests, and where. */
export interface AuditConfig extends DeliveryConfig<'Log'>, DeliveryConfig<'Webhook'> {
  readonly auditPolicyFile: string | undefined;
  readonly auditLogPath: string | undefined;
  readonly auditLogMaxsize: number;
  readonly auditLogMaxage: number;
  readonly auditLogMaxbackup: number;
  readonly auditWebhookConfigFile: string | undefined;
  readonly auditWebhookInitialBackoff: number;
}

type Backend = 'Log' | 'Webhook';

/** How events get to one of the two. */
export type DeliveryConfig<B extends Backend> = Readonly<
  Record<`audit${B}Mode`, AuditMode> &
    Record<`audit${B}Batch${'BufferSize' | 'MaxSize' | 'MaxWait'}`, number> &
    Record<`audit${B}TruncateEnabled`, boolean> &
    Record<`audit${B}Truncate${'MaxBatchSize' | 'MaxEventSize'}`, number>
>;

interface DeliveryDefaults {
  readonly mode: AuditMode;
  readonly maxWaitSeconds: number;
}

const MEBIBYTE = 1024 * 1024;

function deliveryFlags<B extends Backend>(
  backend: B,
  { mode, maxWaitSeconds }: DeliveryDefaults,
): Flag<DeliveryConfig<B>>[] {
  const flag = `--audit-${backend.toLowerCase()}`;
  return [
    {
      name: `audit${backend}Mode`,
      flags: `${flag}-mode <mode>`,
      description:
        'whether requests wait for their audit events: "batch" never waits, "blocking" waits until the event is written or dropped, "blocking-strict" also fails the request with 500 when its first event is dropped',
      default: mode,
      choices: AUDIT_MODES,
    },
    {
      name: `audit${backend}BatchBufferSize`,
      flags: `${flag}-batch-buffer-size <events>`,
      description: 'how many events may be buffered; further ones are dropped',
      default: 10_000,
      parse: integerBetween(1, 1_000_000),
    },
    {
      name: `audit${backend}BatchMaxSize`,
      flags: `${flag}-batch-max-size <events>`,
      description: 'largest number of events in a batch',
      default: 400,
      parse: integerBetween(1, 100_000),
    },
    {
      name: `audit${backend}BatchMaxWait`,
      flags: `${flag}-batch-max-wait <seconds>`,
      description: 'how long a batch waits for more events; in mode batch',
      default: maxWaitSeconds,
      parse: secondsBetween(0, 3600),
    },
    {
      name: `audit${backend}TruncateEnabled`,
      flags: `${flag}-truncate-enabled [true|false]`,
      description:
        'whether the request and response objects are removed from events that are too large',
      default: false,
      parse: trueOrFalse,
    },
    {
      name: `audit${backend}TruncateMaxEventSize`,
      flags: `${flag}-truncate-max-event-size <bytes>`,
      description:
        'largest size of an event; events that exceed it even without objects are dropped',
      default: 100 * 1024,
      parse: integerBetween(1, 1024 * MEBIBYTE),
    },
    {
      name: `audit${backend}TruncateMaxBatchSize`,
      flags: `${flag}-truncate-max-batch-size <bytes>`,
      description: 'largest size of a batch, also when truncation is off',
      default: 10 * MEBIBYTE,
      parse: integerBetween(1, 1024 * MEBIBYTE),
    },
  ] satisfies Flag<DeliveryConfig<B>>[];
}

export const AUDIT_FLAGS: readonly Flag<AuditConfig>[] = [
  {
    name: 'auditPolicyFile',
    flags: '--audit-policy-file <file>',
    description: `file with the audit Policy (${AUDIT_API_VERSION}): the level of detail for each request; reloaded when it changes. Without it nothing is audited`,
  },
  {
    name: 'auditLogPath',
    flags: '--audit-log-path <file>',
    description: 'file for audit events, one per line; - for standard output',
  },
  {
    name: 'auditLogMaxsize',
    flags: '--audit-log-maxsize <megabytes>',
    description: 'size at which the audit log is rotated',
    default: 100,
    parse: integerBetween(1, 100_000),
  },
  {
    name: 'auditLogMaxage',
    flags: '--audit-log-maxage <days>',
    description: 'how long rotated audit logs are kept; 0: forever',
    default: 0,
    parse: integerBetween(0, 100_000),
  },
  {
    name: 'auditLogMaxbackup',
    flags: '--audit-log-maxbackup <files>',
    description: 'how many rotated audit logs are kept; 0: all',
    default: 0,
    parse: integerBetween(0, 100_000),
  },
  ...deliveryFlags('Log', { mode: 'blocking', maxWaitSeconds: 0 }),
  {
    name: 'auditWebhookConfigFile',
    flags: '--audit-webhook-config-file <file>',
    description:
      'kubeconfig of the webhook that receives audit events; reloaded when the file, or a file that it names, changes',
  },
  ...deliveryFlags('Webhook', { mode: 'batch', maxWaitSeconds: 30 }),
  {
    name: 'auditWebhookInitialBackoff',
    flags: '--audit-webhook-initial-backoff <seconds>',
    description: 'how long to wait before the first retry after a failure',
    default: 10,
    parse: secondsBetween(0, 3600),
  },
];
