import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Flag } from './flag.ts';
import { commaList, someOf } from './parsers.ts';

/** A certificate that is shown to clients who ask for one of its names. */
interface SniFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** `*.example.com` stands for one more label; none: the names in the certificate. */
  readonly names: readonly string[];
}

export interface TlsConfig {
  readonly certDir: string | undefined;
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly tlsSan: readonly string[];
  readonly tlsMinVersion: string;
  readonly tlsCipherSuites: readonly string[];
  readonly tlsSniCertKey: readonly SniFiles[];
}

export const TLS_VERSIONS: Readonly<Record<string, 'TLSv1.2' | 'TLSv1.3'>> = {
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

/** Names of the standard, and what OpenSSL calls them. Only those that keep what was said secret for ever. */
export const CIPHER_SUITES: Readonly<Record<string, string>> = {
  TLS_AES_128_GCM_SHA256: 'TLS_AES_128_GCM_SHA256',
  TLS_AES_256_GCM_SHA384: 'TLS_AES_256_GCM_SHA384',
  TLS_CHACHA20_POLY1305_SHA256: 'TLS_CHACHA20_POLY1305_SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
};

export const TLS_FLAGS: readonly Flag<TlsConfig>[] = [
  {
    name: 'tlsCertFile',
    flags: '--tls-cert-file <file>',
    description:
      'PEM file of the serving certificate and its chain; without it a self-signed authority and a certificate are generated in --data-dir',
  },
  {
    name: 'tlsPrivateKeyFile',
    flags: '--tls-private-key-file <file>',
    description: 'PEM file of the private key of --tls-cert-file',
  },
  {
    name: 'tlsSan',
    flags: '--tls-san <names>',
    description:
      'comma-separated additional host names and IP addresses of the generated certificate',
    default: [],
    parse: commaList,
  },
  {
    name: 'certDir',
    flags: '--cert-dir <dir>',
    description:
      'directory that holds the serving certificate as apiserver.crt and its private key as apiserver.key, unless --tls-cert-file names them',
  },
  {
    name: 'tlsMinVersion',
    flags: '--tls-min-version <version>',
    description: 'minimum TLS version',
    default: 'VersionTLS12',
    choices: Object.keys(TLS_VERSIONS),
  },
  {
    name: 'tlsCipherSuites',
    flags: '--tls-cipher-suites <names>',
    description: `comma-separated cipher suites to allow; empty: all of them. Known suites: ${Object.keys(CIPHER_SUITES).join(', ')}`,
    default: [],
    parse: someOf(Object.keys(CIPHER_SUITES)),
  },
  {
    name: 'tlsSniCertKey',
    flags: '--tls-sni-cert-key <cert,key[:names]>',
    description:
      'files of an additional certificate and its private key, for clients that ask for one of the names (*.example.com,example.com); without names, for those in the certificate. May be repeated; reloaded when the files change',
    default: [],
    parse: sniFiles,
  },
];

/** Where the serving certificate and its key are, when they are not generated. */
export function servingFiles({
  certDir,
  tlsCertFile,
  tlsPrivateKeyFile,
}: TlsConfig): Pick<TlsConfig, 'tlsCertFile' | 'tlsPrivateKeyFile'> {
  if (certDir === undefined || tlsCertFile !== undefined) return { tlsCertFile, tlsPrivateKeyFile };
  return {
    tlsCertFile: join(certDir, 'apiserver.crt'),
    tlsPrivateKeyFile: join(certDir, 'apiserver.key'),
  };
}

/** @throws InvalidArgumentError */
function sniFiles(text: string, previous: unknown): SniFiles[] {
  const [files = '', names, ...more] = text.split(':');
  const [certFile, keyFile, ...rest] = commaList(files);
  if (certFile === undefined || keyFile === undefined || rest.length > 0 || more.length > 0) {
    throw new InvalidArgumentError('It must be cert.pem,key.pem or cert.pem,key.pem:name,name.');
  }
  const before = Array.isArray(previous) ? (previous as SniFiles[]) : [];
  return [...before, { certFile, keyFile, names: commaList(names ?? '') }];
}
