import type { CelValue } from '../value/value.ts';
import { Meter } from '../value/meter.ts';

/** State of one evaluation: its meter, the global variables, and the slots of local ones. */
export class Frame extends Meter {
  readonly globals: readonly CelValue[];
  /** One slot per local variable of the expression; scopes never overlap in time. */
  readonly slots: (CelValue | undefined)[];

  constructor(
    globals: readonly CelValue[],
    slots: number,
    limit: number,
    isInterrupted?: () => boolean,
  ) {
    super(limit, isInterrupted);
    this.globals = globals;
    this.slots = slots === 0 ? NO_SLOTS : new Array<CelValue | undefined>(slots);
  }
}

const NO_SLOTS: (CelValue | undefined)[] = [];
