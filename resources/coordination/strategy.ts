import { fieldError, type FieldError } from '../../api/field-error.ts';
import { invalidEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { qualifiedNameErrors } from '../../api/names.ts';

/** The one strategy that the server itself knows; it picks the candidate that emulates the oldest version. */
export const OLDEST_EMULATION_VERSION = 'OldestEmulationVersion';

/**
 * What is wrong with a strategy of coordinated leader election: it is one that
 * the server knows, or a name with a domain for a strategy of another server.
 */
export function validateStrategy(path: FieldPath, strategy: string): FieldError[] {
  if (strategy.includes('/')) {
    return invalidEach(path, strategy, qualifiedNameErrors(strategy));
  }
  return strategy === OLDEST_EMULATION_VERSION
    ? []
    : [fieldError.notSupported(path, strategy, [OLDEST_EMULATION_VERSION])];
}
