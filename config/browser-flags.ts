import { InvalidArgumentError } from 'commander';
import { writtenPattern, type Regex } from '../cel/value/pattern.ts';
import type { Flag } from './flag.ts';
import { commaList } from './parsers.ts';

/** What browsers are told. */
export interface BrowserConfig {
  readonly corsAllowedOrigins: readonly Regex[];
  readonly strictTransportSecurityDirectives: readonly string[];
}

export const BROWSER_FLAGS: readonly Flag<BrowserConfig>[] = [
  {
    name: 'corsAllowedOrigins',
    flags: '--cors-allowed-origins <patterns>',
    description:
      'comma-separated regular expressions (RE2) of the origins that may use the API from a browser; each must begin with ^ or //, and end with $ or a colon, so that it matches whole host names. Empty: CORS is off',
    default: [],
    parse: originPatterns,
  },
  {
    name: 'strictTransportSecurityDirectives',
    flags: '--strict-transport-security-directives <directives>',
    description:
      'comma-separated directives of the Strict-Transport-Security header, such as max-age=31536000,includeSubDomains; empty: no such header',
    default: [],
    parse: transportDirectives,
  },
];

/** Without an end, `good.example` would let in `good.example.bad.example`, too. */
const BEGINNING = /^(?:\(\?i\))?(?:\^|\/\/)/;
const END = /[$:]$/;

/** @throws InvalidArgumentError */
function originPatterns(text: string): Regex[] {
  return commaList(text).map((source) => {
    const shown = JSON.stringify(source);
    if (!BEGINNING.test(source)) {
      throw new InvalidArgumentError(`${shown} must begin with ^ or //.`);
    }
    if (!END.test(source)) throw new InvalidArgumentError(`${shown} must end with $ or a colon.`);
    const pattern = writtenPattern(source).compile();
    if (typeof pattern !== 'string') return pattern;
    throw new InvalidArgumentError(`${shown} is not a regular expression: ${pattern}.`);
  });
}

const DIRECTIVE = /^(?:max-age=\d+|includeSubDomains|preload)$/;

/** @throws InvalidArgumentError */
function transportDirectives(text: string): string[] {
  const directives = commaList(text);
  for (const directive of directives) {
    if (DIRECTIVE.test(directive)) continue;
    const known = 'max-age=<seconds>, includeSubDomains and preload';
    throw new InvalidArgumentError(`${JSON.stringify(directive)} must be one of ${known}.`);
  }
  return directives;
}
