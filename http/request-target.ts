import type { Query } from '../api/query.ts';

const NO_QUERY: Query = new URLSearchParams();
/** What comes before the path in a target as clients send it to proxies. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/**
 * A target in absolute form is as good as its path: every server has to take it
 * (RFC 9112, section 3.2.2).
 */
export function originFormOf(target: string): string {
  if (target.startsWith('/') || !ORIGIN.test(target)) return target;
  const path = target.replace(ORIGIN, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Path and query of a target in origin form. */
export function targetParts(target: string): { readonly rawPath: string; readonly query: Query } {
  const mark = target.indexOf('?');
  return {
    rawPath: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1)),
  };
}
