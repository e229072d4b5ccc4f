import type { ApiObject } from '../api/object.ts';
import { invalid } from '../api/api-error.ts';
import { nextTurn } from '../api/turn.ts';
import type { UserInfo } from '../api/user.ts';
import { decodeObject, type Body } from '../registry/body.ts';
import { fitNamespace } from '../registry/fit-path.ts';
import { isLarge } from '../registry/large-objects.ts';
import type { Target } from '../registry/served-resource.ts';
import type { WriteRequest } from '../registry/write-request.ts';
import { encodeServed } from '../storage/stored-bytes.ts';

/** Who asks. */
export interface Question {
  readonly user: UserInfo;
}

/** Gives the review its status. */
export type Reviewer = (review: ApiObject, question: Question) => ApiObject | Promise<ApiObject>;

/**
 * Objects that are questions: created to be answered, never stored. They skip
 * admission: nothing is changed, and webhooks must not see the token of a review.
 */
export class Reviews {
  readonly #reviewers: ReadonlyMap<string, Reviewer>;

  /** By the plural of the resource. */
  constructor(reviewers: Readonly<Record<string, Reviewer>>) {
    this.#reviewers = new Map(Object.entries(reviewers));
  }

  handles({ resource }: Target): boolean {
    return resource.definition.builtin && this.#reviewers.has(resource.groupResource.resource);
  }

  /**
   * The bytes of the answer.
   *
   * @throws ApiError 400, 422
   */
  async answer(
    { target, options, context }: WriteRequest,
    body: Body,
    now: number,
  ): Promise<Buffer> {
    const { resource } = target;
    const review = await decodeObject(body, resource, options.fieldValidation, context.warnings);
    const large = isLarge(review);
    if (large) await nextTurn();
    fitNamespace(review.metadata, target);
    const errors = resource.definition.strategy.validate?.(review, { now }) ?? [];
    if (errors.length > 0) throw invalid({ group: resource.kind.group, kind: '' }, '', errors);
    if (large) await nextTurn();
    const reviewer = this.#reviewers.get(resource.groupResource.resource);
    if (reviewer === undefined) throw new Error('a review without a reviewer');
    const answer = await reviewer(review, { user: context.user });
    if (large) await nextTurn();
    return encodeServed(answer);
  }
}
