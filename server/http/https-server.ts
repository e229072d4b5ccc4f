import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A client that takes longer to say what it wants is cut off (reference: 32 s). */
const HEADERS_TIMEOUT_MS = 32_000;
/** An idle connection is kept for the next request. */
const KEEP_ALIVE_MS = 90_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;

export interface HttpsOptions {
  readonly certificate: string;
  readonly key: string;
  /** Authorities whose client certificates are trusted. */
  readonly clientAuthorities: readonly string[];
}

/**
 * The HTTPS server. ALPN offers HTTP/1.1 only: Express throws on HTTP/2
 * requests (docs/decisions/0003-http1-only.md).
 */
export function createHttpsServer(options: HttpsOptions, listener: RequestListener): Server {
  const server = createServer(
    {
      cert: options.certificate,
      key: options.key,
      ca: [...options.clientAuthorities],
      requestCert: true,
      // A certificate that does not verify is no credential; it is not a reason to hang up.
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    listener,
  );
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

/**
 * Listens; the port in the result is the real one when 0 was asked for.
 *
 * @throws Error with one line when the address cannot be had
 */
export function listen(server: Server, address: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** @throws Error that names the file */
export function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
