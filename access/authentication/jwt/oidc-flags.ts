import type { OidcConfig } from '../../../config/oidc-flags.ts';
import { readPem } from '../../../http/pem.ts';
import { SIGNATURE_ALGORITHMS } from './algorithms.ts';
import { checkUrl, type ClaimRule, type JwtConfiguration } from './configuration.ts';

/**
 * The issuer that the --oidc flags describe; undefined: none.
 *
 * @throws Error with one line
 */
export function jwtOfFlags(config: OidcConfig): JwtConfiguration | undefined {
  const { oidcIssuerUrl: url, oidcClientId: audience } = config;
  if (url === undefined && audience === undefined) return undefined;
  if (url === undefined || audience === undefined) {
    throw new Error('--oidc-issuer-url and --oidc-client-id must be set together');
  }
  checkUrl(url, '--oidc-issuer-url');
  const unknown = config.oidcSigningAlgs.find((name) => !SIGNATURE_ALGORITHMS.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `--oidc-signing-algs: ${unknown} is none of ${SIGNATURE_ALGORITHMS.join(', ')}`,
    );
  }
  const { oidcCaFile, oidcUsernameClaim: claim, oidcGroupsClaim } = config;
  return {
    issuer: {
      url,
      audiences: [audience],
      ...(oidcCaFile === undefined ? {} : { certificateAuthority: readPem(oidcCaFile) }),
    },
    claimMappings: {
      username: { claim, prefix: usernamePrefix(config, url) },
      ...(oidcGroupsClaim === undefined
        ? {}
        : { groups: { claim: oidcGroupsClaim, prefix: config.oidcGroupsPrefix } }),
    },
    claimValidationRules: config.oidcRequiredClaim.map(requiredClaim),
    algorithms: config.oidcSigningAlgs,
  };
}

/** Names of different issuers must not meet; an address of mail is unique by itself. */
function usernamePrefix(
  { oidcUsernamePrefix, oidcUsernameClaim }: OidcConfig,
  url: string,
): string {
  if (oidcUsernamePrefix === '-') return '';
  return oidcUsernamePrefix ?? (oidcUsernameClaim === 'email' ? '' : `${url}#`);
}

function requiredClaim(text: string): ClaimRule {
  const [, claim, requiredValue] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (claim === undefined || requiredValue === undefined) {
    throw new Error(`--oidc-required-claim ${JSON.stringify(text)} is not claim=value`);
  }
  return { claim, requiredValue };
}
