import { badRequest } from '../api/api-error.ts';
import { fieldError, type FieldError } from '../api/field-error.ts';
import { parseRevision, type Revision } from '../api/revision.ts';
import type { Rights } from '../watch/rights.ts';
import type { ReadPoint } from '../watch/reader.ts';
import { ANY, LATEST } from '../watch/reader.ts';
import {
  booleanParameter,
  integerParameter,
  strictBooleanParameter,
  type Query,
} from '../api/query.ts';
import { selectorsFrom, type Selectors } from './selectors.ts';
import { invalidOptions } from './write-options.ts';

/** What a client may ask of a collection, as it was sent and checked for its form. */
export interface ListOptions extends Selectors {
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  /** 0: the server chooses. */
  readonly timeoutSeconds: number;
  readonly watch: boolean;
  /** Empty: the order of names. */
  readonly orderBy: string;
  /** What of the collection the caller may see; absent: all of it. */
  readonly rights?: Rights | undefined;
}

export const EVERYTHING: ListOptions = {
  labelSelector: '',
  fieldSelector: '',
  filter: '',
  limit: 0,
  continueToken: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  sendInitialEvents: undefined,
  allowWatchBookmarks: false,
  timeoutSeconds: 0,
  watch: false,
  orderBy: '',
};

/**
 * Reads and checks the options of a list or watch; `watch` overrides the
 * parameter (the deprecated /watch/ paths). `rights`: what of the collection the caller may see.
 *
 * @throws ApiError 400 for what cannot be read, 422 for combinations that are forbidden
 */
export function listOptionsFrom(query: Query, watch?: boolean, rights?: Rights): ListOptions {
  // Written out: a literal that spreads and goes on takes 1 µs (docs/performance.md).
  const { labelSelector, fieldSelector, filter } = selectorsFrom(query);
  // in the order in which kube-apiserver reads them: of several bad ones the first is told
  const options: ListOptions = {
    labelSelector,
    fieldSelector,
    filter,
    watch: watch ?? booleanParameter(query, 'watch') ?? false,
    allowWatchBookmarks: strictBooleanParameter(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds: Math.max(0, integerParameter(query, 'timeoutSeconds') ?? 0),
    limit: Math.max(0, integerParameter(query, 'limit') ?? 0),
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: booleanParameter(query, 'sendInitialEvents'),
    orderBy: query.get('orderBy') ?? '',
    rights,
  };
  const errors = options.watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
  return options;
}

function listErrors(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, continueToken } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(
        forbiddenMatch('resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    }
    if (continueToken !== '') {
      errors.push(forbiddenMatch('resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(
        fieldError.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']),
      );
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(
        forbiddenMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(
      fieldError.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'),
    );
  }
  return errors;
}

function watchErrors(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(
      forbiddenMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    );
  }
  if (match === '') {
    if (options.continueToken !== '') {
      errors.push(fieldError.forbidden('continue', 'continue is forbidden for watch'));
    }
    return errors;
  }
  if (sendInitialEvents === undefined) {
    errors.push(
      forbiddenMatch(
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    );
  }
  if (match !== 'NotOlderThan') {
    errors.push(fieldError.notSupported('resourceVersionMatch', match, ['NotOlderThan']));
  }
  if (options.continueToken !== '') {
    errors.push(forbiddenMatch('resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}

function forbiddenMatch(detail: string): FieldError {
  return fieldError.forbidden('resourceVersionMatch', detail);
}

/** Which state a list without continue token shows (the table of behaviours 4). */
export function listReadPoint(options: ListOptions): ReadPoint {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (resourceVersion === '') return LATEST;
  const revision = revisionParameter(resourceVersion);
  if (revision === 0n) return ANY;
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0);
  return { at: exact ? 'exact' : 'notOlderThan', revision };
}

/** Which state a get shows. */
export function getReadPoint(resourceVersion: string): ReadPoint {
  if (resourceVersion === '') return LATEST;
  const revision = revisionParameter(resourceVersion);
  return revision === 0n ? ANY : { at: 'notOlderThan', revision };
}

/** That a text is not a version, and what one is. */
export function invalidVersion(text: string): string {
  return `invalid resource version ${JSON.stringify(text)}: must be the resourceVersion of an earlier response, or 0`;
}

/** @throws ApiError 400 */
export function revisionParameter(text: string): Revision {
  const revision = parseRevision(text);
  if (revision === undefined) {
    throw badRequest(invalidVersion(text));
  }
  return revision;
}
