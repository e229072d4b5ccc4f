import { KUBERNETES_NAMES, type KubernetesNames } from '../api/naming.ts';
import { Command, Option } from 'commander';
import { ACCESS_FLAGS, type AccessConfig } from './access-flags.ts';
import { AUDIT_FLAGS, type AuditConfig } from './audit-flags.ts';
import { BROWSER_FLAGS, type BrowserConfig } from './browser-flags.ts';
import { FlagError, parseArguments } from './command-line.ts';
import { CONSOLE_FLAGS, type ConsoleConfig } from './console-flags.ts';
import type { Flag } from './flag.ts';
import { LOAD_FLAGS, type LoadConfig } from './load-flags.ts';
import { LOOP_FLAGS, type LoopConfig } from './loop-flags.ts';
import { OUTBOUND_FLAGS, type OutboundConfig } from './outbound-flags.ts';
import { integerBetween, prefix, secondsBetween, trueOrFalse, urls } from './parsers.ts';
import { SIGNING_FLAGS, type SigningConfig } from './signing-flags.ts';
import { servingFiles, TLS_FLAGS, type TlsConfig } from './tls-flags.ts';

/** What the server is told on its command line; every field has a flag of the same meaning. */
export interface ServerConfig
  extends
    AccessConfig,
    LoadConfig,
    AuditConfig,
    TlsConfig,
    SigningConfig,
    BrowserConfig,
    ConsoleConfig,
    LoopConfig,
    OutboundConfig {
  readonly storage: 'embedded' | 'etcd';
  readonly dataDir: string;
  readonly etcdServers: readonly string[];
  readonly etcdPrefix: string;
  readonly etcdCafile: string | undefined;
  readonly etcdCertfile: string | undefined;
  readonly etcdKeyfile: string | undefined;
  readonly etcdUsername: string | undefined;
  readonly etcdPasswordFile: string | undefined;
  readonly encryptionProviderConfig: string | undefined;
  readonly bindAddress: string;
  readonly securePort: number;
  readonly kubernetesNames: KubernetesNames;
  readonly allowBuiltinGroups: boolean;
  readonly featureGates: string;
  readonly shutdownDelaySeconds: number;
  readonly shutdownGraceSeconds: number;
  readonly workers: number;
  readonly logLevel: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export const FLAGS: readonly Flag<ServerConfig>[] = [
  {
    name: 'storage',
    flags: '--storage <kind>',
    description:
      'where objects are stored: "embedded" in files of this process, "etcd" in an etcd cluster. Default: etcd when --etcd-servers is set, otherwise embedded',
    choices: ['embedded', 'etcd'],
  },
  {
    name: 'dataDir',
    flags: '--data-dir <dir>',
    description:
      'directory of the embedded store, the generated certificates and the admin kubeconfig',
    default: 'data',
  },
  {
    name: 'etcdServers',
    flags: '--etcd-servers <urls>',
    description: 'comma-separated URLs of the etcd members, for example http://127.0.0.1:2379',
    default: [],
    parse: urls,
  },
  {
    name: 'etcdPrefix',
    flags: '--etcd-prefix <prefix>',
    description: 'prefix of every key in etcd',
    default: '/registry',
    parse: prefix,
  },
  {
    name: 'etcdCafile',
    flags: '--etcd-cafile <file>',
    description:
      'PEM file of the certificate authority of the etcd servers; read again for each connection',
  },
  {
    name: 'etcdCertfile',
    flags: '--etcd-certfile <file>',
    description:
      'PEM file of the client certificate for etcd; requires --etcd-keyfile; read again for each connection',
  },
  {
    name: 'etcdKeyfile',
    flags: '--etcd-keyfile <file>',
    description: 'PEM file of the private key of --etcd-certfile; read again for each connection',
  },
  {
    name: 'etcdUsername',
    flags: '--etcd-username <name>',
    description: 'etcd user, if etcd requires authentication; requires --etcd-password-file',
  },
  {
    name: 'etcdPasswordFile',
    flags: '--etcd-password-file <file>',
    description: 'file with the password of --etcd-username',
  },
  {
    name: 'encryptionProviderConfig',
    flags: '--encryption-provider-config <file>',
    description:
      'file with an EncryptionConfiguration: which resources are encrypted in the store, and with which keys; reloaded when it changes, and existing values are rewritten with the first key',
  },
  {
    name: 'bindAddress',
    flags: '--bind-address <ip>',
    description: 'address to listen on; 0.0.0.0 or :: for all interfaces',
    default: '127.0.0.1',
  },
  {
    name: 'securePort',
    flags: '--secure-port <port>',
    description: 'port of the HTTPS API; 0 picks a free port and logs it',
    default: 6443,
    parse: integerBetween(0, 65535),
  },
  ...ACCESS_FLAGS,
  ...SIGNING_FLAGS,
  ...LOAD_FLAGS,
  ...AUDIT_FLAGS,
  ...TLS_FLAGS,
  ...BROWSER_FLAGS,
  ...CONSOLE_FLAGS,
  ...LOOP_FLAGS,
  ...OUTBOUND_FLAGS,
  {
    name: 'kubernetesNames',
    flags: '--kubernetes-names <mode>',
    description:
      'whether groups are also served under their aliases (coordination.k8s.io for coordination.cluster.io): "listed" also in discovery and OpenAPI; "answered" but not listed; "off": only the names, labels and namespaces of the specification',
    default: 'listed',
    choices: KUBERNETES_NAMES,
  },
  {
    name: 'allowBuiltinGroups',
    flags: '--allow-builtin-groups [true|false]',
    description:
      'whether CustomResourceDefinitions may define kinds of Kubernetes that this server lacks, as plain data under their own groups: apps, autoscaling, batch, extensions, policy, the groups that have an alias (networking.k8s.io), and the core group, written as spec.group: core',
    default: false,
    parse: trueOrFalse,
  },
  {
    name: 'featureGates',
    flags: '--feature-gates <gates>',
    description:
      'comma-separated Gate=true|false pairs, for example CoordinatedLeaderElection=true',
    default: '',
  },
  {
    name: 'shutdownDelaySeconds',
    flags: '--shutdown-delay-duration <seconds>',
    description:
      'how long to keep serving after SIGTERM while /readyz already fails, so that load balancers stop sending requests',
    default: 0,
    parse: secondsBetween(0, 600),
  },
  {
    name: 'shutdownGraceSeconds',
    flags: '--shutdown-grace-period <seconds>',
    description:
      'how long requests in progress may take after that delay before their connections are closed; must be shorter than the time until the process is killed',
    default: 60,
    parse: secondsBetween(1, 600),
  },
  {
    name: 'workers',
    flags: '--workers <processes>',
    description:
      'number of processes that serve the port, each with its own replica and limits; /metrics of any of them shows the metrics of all, with the label worker. On the embedded store one more process writes for all of them; its CPU and memory are there with worker="owner"',
    default: 1,
    parse: integerBetween(1, 64),
  },
  {
    name: 'logLevel',
    flags: '--log-level <level>',
    description: 'minimum level of log lines',
    default: 'info',
    choices: LOG_LEVELS,
  },
];

/**
 * Reads the command line (without node and script).
 *
 * @param help what --help says after the flags
 * @throws FlagError with one line; --help prints its text and throws with exit code 0
 */
export function parseFlags(
  args: readonly string[],
  write: (text: string) => void,
  help = '',
): ServerConfig {
  const command = new Command('plinth')
    .description(
      'A Kubernetes-style API server: declarative resources, watch streams, custom kinds and admission, on etcd or on an embedded store.',
    )
    .usage('[command] [options]')
    .addHelpText('after', help);
  for (const flag of FLAGS) command.addOption(optionOf(flag));
  parseArguments(command, args, write);
  return checked(command.opts<Record<string, unknown>>());
}

function optionOf(flag: Flag<ServerConfig>): Option {
  const option = new Option(flag.flags, flag.description);
  if (flag.default !== undefined) option.default(flag.default);
  if (flag.parse !== undefined) option.argParser(flag.parse);
  // Without a word behind it, it says yes.
  if (option.optional) option.preset('true');
  if (flag.choices !== undefined) option.choices(flag.choices);
  return option;
}

function checked(values: Record<string, unknown>): ServerConfig {
  const byFlag = Object.fromEntries(
    FLAGS.map((flag) => [flag.name, values[optionOf(flag).attributeName()]]),
  ) as unknown as ServerConfig;
  const storage =
    (byFlag.storage as string | undefined) ?? (byFlag.etcdServers.length > 0 ? 'etcd' : 'embedded');
  if (storage === 'etcd' && byFlag.etcdServers.length === 0) {
    throw new FlagError('--storage etcd requires --etcd-servers');
  }
  if (storage === 'embedded' && byFlag.etcdServers.length > 0) {
    throw new FlagError('--etcd-servers cannot be used with --storage embedded');
  }
  together(byFlag, 'tlsCertFile', 'tlsPrivateKeyFile');
  together(byFlag, 'etcdCertfile', 'etcdKeyfile');
  together(byFlag, 'proxyClientCertFile', 'proxyClientKeyFile');
  together(byFlag, 'etcdUsername', 'etcdPasswordFile');
  return { ...byFlag, ...servingFiles(byFlag), storage: storage as ServerConfig['storage'] };
}

function together(config: ServerConfig, a: keyof ServerConfig, b: keyof ServerConfig): void {
  if ((config[a] === undefined) === (config[b] === undefined)) return;
  throw new FlagError(`${longName(a)} and ${longName(b)} must be set together`);
}

function longName(name: keyof ServerConfig): string {
  return FLAGS.find((flag) => flag.name === name)?.flags.split(' ')[0] ?? name;
}
