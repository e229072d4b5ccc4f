/** What Node calls failures of connections, in words for people. */
const WORDS: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'the name could not be resolved: the name server did not answer',
  ECONNABORTED: 'the connection was closed before there was an answer',
  ECONNRESET: 'the connection was closed before there was an answer',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ENOTFOUND: 'no such host',
  EPIPE: 'the connection was closed before there was an answer',
  ETIMEDOUT: 'the host did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by an unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS',
};

/** Why a connection failed, in plain words; Node's message for other codes. */
export function connectionProblem(error: Error): string {
  const {
    code = '',
    address,
    port,
    host,
  } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    host?: string;
  };
  if (code === 'ECONNREFUSED') {
    const where = address === undefined ? '' : ` by ${address} port ${port ?? '?'}`;
    return `connection refused${where}`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `its certificate is not valid for ${host ?? 'its name'}`;
  }
  if (code.startsWith('HPE_')) return 'the answer is not valid HTTP';
  return WORDS[code] ?? error.message;
}
