/**
 * The rules for names, keys and values, each as a function from the value to
 * what is wrong with it, in words; an empty list means nothing is.
 * Source of rules and wording: k8s.io/apimachinery pkg/util/validation and
 * pkg/api/validate/content. The patterns here are written without ambiguous
 * repetition, so that matching takes linear time; those in the messages are the
 * familiar ones for the same sets.
 */

import { unsliced } from './unsliced.ts';

export const DNS_LABEL_MAX = 63;
export const DNS_SUBDOMAIN_MAX = 253;
export const LABEL_NAME_MAX = 63;

const DNS_LABEL = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const DNS1123_LABEL = new RegExp(`^${DNS_LABEL}$`);
const DNS1123_SUBDOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const DNS1035_LABEL = /^[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/;
const LABEL_NAME = /^[A-Za-z0-9]+(?:[-_.]+[A-Za-z0-9]+)*$/;
const CONFIG_MAP_KEY = /^[-._a-zA-Z0-9]+$/;
const HTTP_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const CONDITION_REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

const LABEL_SHOWN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_SHOWN = `${LABEL_SHOWN}(\\.${LABEL_SHOWN})*`;
const LABEL_NAME_SHOWN = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_NAME_WORDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** What a pattern asks for, with examples, as every rule of this file says it. */
function patternError(words: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${words} (${shown === '' ? '' : `e.g. ${shown}`}regex used for validation is '${pattern}')`;
}

const isLonger = (value: string, max: number): boolean => Buffer.byteLength(value) > max;

/** Errors of a value with a bounded length; the pattern is not tried on what is far too long. */
function bounded(
  value: string,
  max: number,
  pattern: RegExp,
  wrong: () => string,
  unit = 'bytes',
): string[] {
  const errors = isLonger(value, max) ? [`must be no more than ${max} ${unit}`] : [];
  const isHopeless = value.length > 100 * max;
  if (!isHopeless && !pattern.test(value)) errors.push(wrong());
  return errors;
}

/** {@link bounded} for names of DNS, all of whose characters are one byte. */
function dnsName(value: string, max: number, pattern: RegExp, wrong: () => string): string[] {
  return bounded(value, max, pattern, wrong, 'characters');
}

/** A label of RFC 1123: the names of namespaces, at most 63 characters. */
export function dns1123LabelErrors(value: string): string[] {
  return dnsName(value, DNS_LABEL_MAX, DNS1123_LABEL, () =>
    DNS1123_SUBDOMAIN.test(value)
      ? 'must not contain dots'
      : patternError(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
          LABEL_SHOWN,
          'my-name',
          '123-abc',
        ),
  );
}

/** A subdomain of RFC 1123: the names of most objects, at most 253 characters. */
export function dns1123SubdomainErrors(value: string): string[] {
  return dnsName(value, DNS_SUBDOMAIN_MAX, DNS1123_SUBDOMAIN, () =>
    patternError(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      SUBDOMAIN_SHOWN,
      'example.com',
    ),
  );
}

/** A label of RFC 1035, which starts with a letter: names and versions of custom resources, services. */
export function dns1035LabelErrors(value: string): string[] {
  return dnsName(value, DNS_LABEL_MAX, DNS1035_LABEL, () =>
    patternError(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      '[a-z]([-a-z0-9]*[a-z0-9])?',
      'my-name',
      'abc-123',
    ),
  );
}

/** The key of a label: a name, optionally with a DNS subdomain and a slash before it. */
export function qualifiedNameErrors(value: string): string[] {
  if (soundNames.has(value)) return [];
  const errors = errorsOfQualifiedName(value);
  if (errors.length === 0) {
    if (soundNames.size >= MAX_SOUND_NAMES) soundNames.clear();
    soundNames.add(unsliced(value));
  }
  return errors;
}

/** Keys of labels and annotations that were looked at: objects share few, each write asks for all of its own. */
const soundNames = new Set<string>();
const MAX_SOUND_NAMES = 4_096;

function errorsOfQualifiedName(value: string): string[] {
  const slash = value.indexOf('/');
  if (slash !== value.lastIndexOf('/')) {
    return [
      `a valid label key ${patternError(LABEL_NAME_WORDS, LABEL_NAME_SHOWN, 'MyName', 'my.name', '123-abc')}` +
        " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  }
  const errors: string[] = [];
  if (slash >= 0) {
    const first = value.slice(0, slash);
    const prefix = first === '' ? ['must be non-empty'] : dns1123SubdomainErrors(first);
    errors.push(...prefix.map((text) => `prefix part ${text}`));
  }
  const name = value.slice(slash + 1);
  if (name === '') errors.push('name part must be non-empty');
  const wrong = bounded(name, LABEL_NAME_MAX, LABEL_NAME, () =>
    patternError(LABEL_NAME_WORDS, LABEL_NAME_SHOWN, 'MyName', 'my.name', '123-abc'),
  );
  errors.push(...wrong.map((text) => `name part ${text}`));
  return errors;
}

/** The value of a label: empty, or as the name of a label. */
export function labelValueErrors(value: string): string[] {
  if (value === '') return [];
  return bounded(value, LABEL_NAME_MAX, LABEL_NAME, () =>
    patternError(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      `(${LABEL_NAME_SHOWN})?`,
      'MyValue',
      'my_value',
      '12345',
    ),
  );
}

/** A key of a ConfigMap: letters, digits, `-`, `_` and `.`, but no directory. */
export function configMapKeyErrors(value: string): string[] {
  const errors = bounded(value, DNS_SUBDOMAIN_MAX, CONFIG_MAP_KEY, () =>
    patternError(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
      '[-._a-zA-Z0-9]+',
      'key.name',
      'KEY_NAME',
      'key-name',
    ),
  );
  if (value === '.' || value === '..') errors.push(`must not be '${value}'`);
  else if (value.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}

/** A name that can stand in a path: neither `.` nor `..`, no slash, no percent sign. Any length. */
export function pathSegmentNameErrors(value: string): string[] {
  return value === '.' || value === '..'
    ? [`may not be '${value}'`]
    : pathSegmentPrefixErrors(value);
}

/** The start of a name that can stand in a path. */
export function pathSegmentPrefixErrors(value: string): string[] {
  return ['/', '%'].filter((c) => value.includes(c)).map((c) => `may not contain '${c}'`);
}

/** The characters of an HTTP path by RFC 3986, with percent-encoding unchecked. */
export function httpPathErrors(value: string): string[] {
  return HTTP_PATH.test(value)
    ? []
    : [patternError('Invalid path', "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+")];
}

/** A domain, a slash and an HTTP path: `acme.io/foo/bar`. */
export function domainPrefixedPathErrors(value: string): string[] {
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    return ['must be a domain-prefixed path (such as "acme.io/foo")'];
  }
  return [
    ...dns1123SubdomainErrors(value.slice(0, slash)),
    ...httpPathErrors(value.slice(slash + 1)),
  ];
}

/** A subdomain of three labels at least: the names of webhooks. */
export function fullyQualifiedNameErrors(value: string): string[] {
  const errors = dns1123SubdomainErrors(value);
  return errors.length > 0 || value.split('.', 3).length === 3
    ? errors
    : ['should be a domain with at least three segments separated by dots'];
}

/** A machine-readable reason of a condition; its length is checked apart. */
export function conditionReasonErrors(value: string): string[] {
  if (CONDITION_REASON.test(value)) return [];
  const words =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
  const examples = ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'];
  return [patternError(words, '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?', ...examples)];
}

/** A port: 1 to 65535. */
export function portNumberErrors(value: number | bigint): string[] {
  return rangeErrors(value, 1, 65535);
}

/** A number between two bounds, which belong to the range. */
export function rangeErrors(value: number | bigint, min: number, max: number): string[] {
  return value >= min && value <= max ? [] : [`must be between ${min} and ${max}, inclusive`];
}
