import { apiError, badRequest, type ApiError } from '../api/api-error.ts';

/** A strategic merge patch that cannot be carried out. Thrown inside of it, handed out as a value. */
export class StrategicPatchError extends Error {
  override readonly name = 'StrategicPatchError';
  /** 422 where the patch is well-formed but asks for what is not supported. */
  readonly code: 400 | 422;

  constructor(message: string, code: 400 | 422 = 400) {
    super(message);
    this.code = code;
  }

  toApiError(): ApiError {
    return this.code === 400
      ? badRequest(this.message, this)
      : apiError(422, 'Invalid', this.message, {}, this);
  }
}

/** An item of a list that is merged by `key` lacks that member. */
export function noMergeKey(key: string): StrategicPatchError {
  return new StrategicPatchError(`an item of a list does not contain its merge key: ${key}`);
}
