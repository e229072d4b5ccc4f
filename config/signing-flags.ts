import type { Flag } from './flag.ts';
import { secondsBetween } from './parsers.ts';

/** How certificate signing requests are answered. */
export interface SigningConfig {
  readonly clusterSigningCertFile: string | undefined;
  readonly clusterSigningKeyFile: string | undefined;
  readonly clusterSigningDuration: number;
}

const YEAR_SECONDS = 365 * 24 * 3600;

export const SIGNING_FLAGS: readonly Flag<SigningConfig>[] = [
  {
    name: 'clusterSigningCertFile',
    flags: '--cluster-signing-cert-file <file>',
    description:
      'PEM file of the authority that signs approved certificate signing requests of clients; with --cluster-signing-key-file. Without both, the generated authority signs, unless --client-ca-file is given: then nothing is signed',
  },
  {
    name: 'clusterSigningKeyFile',
    flags: '--cluster-signing-key-file <file>',
    description: 'PEM file of the private key of --cluster-signing-cert-file',
  },
  {
    name: 'clusterSigningDuration',
    flags: '--cluster-signing-duration <seconds>',
    description: 'how long certificates last at most that the server signs for clients',
    default: YEAR_SECONDS,
    parse: secondsBetween(600, 10 * YEAR_SECONDS),
  },
];
