import type { Revision } from '../../api/revision.ts';
import type { StoreErrorCode } from '../errors.ts';

/** What a process is to check: all pages of a file, and all objects of a store as well. */
export type CheckJob =
  | { readonly file: string }
  | { readonly file: string; readonly directory: string; readonly remove: boolean };

interface DamagedObject {
  readonly key: string;
  readonly revision: Revision;
}

export interface CheckReport {
  readonly objects: number;
  readonly damaged: readonly DamagedObject[];
}

export type CheckAnswer =
  | { readonly report: CheckReport }
  | { readonly failed: { readonly code: StoreErrorCode; readonly message: string } };
