/** Algorithms with a public key: with shared keys, a verifier could also sign. */
export const SIGNATURE_ALGORITHMS: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512'],
];
