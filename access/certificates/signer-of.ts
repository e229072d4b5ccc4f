import { FlagError } from '../../config/command-line.ts';
import type { ServerConfig } from '../../config/flags.ts';
import type { KeyPair } from '../pki/certificates.ts';
import { readPair } from '../pki/pair-file.ts';
import { ClientSigner } from './client-signer.ts';

/**
 * The signer that the command line asks for. The authority that the server has
 * made signs where it is the only one that vouches for clients: with
 * `--client-ca-file` other servers would not know it. Undefined: none signs.
 *
 * @throws FlagError, Error that names the file
 */
export async function signerOf(
  config: ServerConfig,
  own: KeyPair,
): Promise<ClientSigner | undefined> {
  const { clusterSigningCertFile: cert, clusterSigningKeyFile: key, clientCaFile } = config;
  const seconds = config.clusterSigningDuration;
  if ((cert === undefined) !== (key === undefined)) {
    throw new FlagError(
      '--cluster-signing-cert-file and --cluster-signing-key-file must be set together',
    );
  }
  if (cert !== undefined && key !== undefined) {
    return ClientSigner.open(readPair(cert, key), seconds);
  }
  return clientCaFile === undefined ? ClientSigner.open(own, seconds) : undefined;
}
