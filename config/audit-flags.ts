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
        'when a request goes on: "batch" at once, "blocking" when its event is where it goes or lost, "blocking-strict" like that, and answered 500 when its first event is lost',
      default: mode,
      choices: AUDIT_MODES,
    },
    {
      name: `audit${backend}BatchBufferSize`,
      flags: `${flag}-batch-buffer-size <events>`,
      description: 'how many events may wait to go; more are lost',
      default: 10_000,
      parse: integerBetween(1, 1_000_000),
    },
    {
      name: `audit${backend}BatchMaxSize`,
      flags: `${flag}-batch-max-size <events>`,
      description: 'how many events go at once',
      default: 400,
      parse: integerBetween(1, 100_000),
    },
    {
      name: `audit${backend}BatchMaxWait`,
      flags: `${flag}-batch-max-wait <seconds>`,
      description: 'how long an event waits for others before it goes; in mode batch',
      default: maxWaitSeconds,
      parse: secondsBetween(0, 3600),
    },
    {
      name: `audit${backend}TruncateEnabled`,
      flags: `${flag}-truncate-enabled [true|false]`,
      description: 'whether events that are too long lose the objects of request and answer',
      default: false,
      parse: trueOrFalse,
    },
    {
      name: `audit${backend}TruncateMaxEventSize`,
      flags: `${flag}-truncate-max-event-size <bytes>`,
      description: 'which events are too long; those that are so even without objects are lost',
      default: 100 * 1024,
      parse: integerBetween(1, 1024 * MEBIBYTE),
    },
    {
      name: `audit${backend}TruncateMaxBatchSize`,
      flags: `${flag}-truncate-max-batch-size <bytes>`,
      description: 'how long a batch of events may be, whether they are truncated or not',
      default: 10 * MEBIBYTE,
      parse: integerBetween(1, 1024 * MEBIBYTE),
    },
  ] satisfies Flag<DeliveryConfig<B>>[];
}

export const AUDIT_FLAGS: readonly Flag<AuditConfig>[] = [
  {
    name: 'auditPolicyFile',
    flags: '--audit-policy-file <file>',
    description: `file with the audit Policy (${AUDIT_API_VERSION}): how much is written of which requests; read again when it changes. Without it nothing is written`,
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
  ...deliveryFlags('Log', { mode: 'blocking', maxWaitSeconds: 0 }),
  {
    name: 'auditWebhookConfigFile',
    flags: '--audit-webhook-config-file <file>',
    description:
      'kubeconfig of a server that takes audit events; read again when it, or a file that it names, changes',
  },
  ...deliveryFlags('Webhook', { mode: 'batch', maxWaitSeconds: 30 }),
  {
    name: 'auditWebhookInitialBackoff',
    flags: '--audit-webhook-initial-backoff <seconds>',
    description: 'how long to wait after a failure before the events are sent again',
    default: 10,
    parse: secondsBetween(0, 3600),
  },
];
