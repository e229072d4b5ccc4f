import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { StoreError } from '../errors.ts';

/** Where the operator keeps what secures the connection to etcd. */
export interface EtcdTlsFiles {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** What the files hold, and their names for messages. */
export interface TlsMaterial extends EtcdTlsFiles {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

/**
 * Reads the files of a connection that etcd and its clients secure.
 *
 * @throws StoreError that names the file that cannot be used
 */
export async function readTlsFiles(
  files: EtcdTlsFiles,
  endpoints: readonly string[],
): Promise<TlsMaterial> {
  const { caFile, certFile, keyFile } = files;
  const given = [caFile, certFile, keyFile].some((file) => file !== undefined);
  if (!given) return {};
  if (!endpoints.every((endpoint) => endpoint.startsWith('https:'))) {
    throw unusable('certificates for etcd are given, but its URL is not https');
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw unusable('a client certificate for etcd needs its key, and vice versa');
  }
  const [ca, cert, key] = await Promise.all([read(caFile), read(certFile), read(keyFile)]);
  if (ca !== undefined) certificateIn(caFile, ca);
  if (cert !== undefined && key !== undefined) {
    if (!certificateIn(certFile, cert).checkPrivateKey(keyIn(keyFile, key))) {
      throw unusable(`the key in ${keyFile} is not that of the certificate in ${certFile}`);
    }
  }
  return { ...files, ca: ca ?? Buffer.from(rootCertificates.join('\n')), cert, key };
}

/**
 * What the files hold now. While they cannot be used, for example because one of a pair has
 * been replaced and the other has not: what they held before.
 */
export async function renewed(tls: TlsMaterial, endpoint: string): Promise<TlsMaterial> {
  if (tls.caFile === undefined && tls.certFile === undefined) return tls;
  try {
    return await readTlsFiles(tls, [endpoint]);
  } catch {
    return tls;
  }
}

async function read(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw unusable(`cannot read ${file}: ${code}`, error);
  }
}

/** The first one. */
function certificateIn(file: string | undefined, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw unusable(`${file} holds no certificate`, error);
  }
}

function keyIn(file: string | undefined, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw unusable(`${file} holds no private key, or one that needs a password`, error);
  }
}

function unusable(message: string, cause?: unknown): StoreError {
  return new StoreError('unavailable', message, cause === undefined ? undefined : { cause });
}
