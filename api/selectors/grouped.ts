import { type LabelRequirement, type Labels, parseInt64 } from './requirement.ts';

/** Everything that a selector says about one label, or one field. */
class Condition {
  /** The value must be one of these; undefined: any will do. */
  #allowed: ReadonlySet<string> | undefined;
  /** One value is kept as it is: there may be thousands of conditions, and a set takes room. */
  #denied: string | Set<string> | undefined;
  #above: number | bigint | undefined;
  #below: number | bigint | undefined;
  #mustBeAbsent = false;
  /** It cannot hold for an object without the label. */
  isRequired = false;

  add({ operator, values }: Omit<LabelRequirement, 'key'>): void {
    switch (operator) {
      case '=':
      case '==':
      case 'in':
        this.#allow(values);
        return;
      case '!=':
      case 'notin':
        this.#deny(values);
        return;
      case 'exists':
        this.isRequired = true;
        return;
      case '!':
        this.#mustBeAbsent = true;
        return;
      case 'gt':
      case 'lt':
        this.#compare(operator, parseInt64(values[0] ?? ''));
    }
  }

  /** `value` is undefined when the label is absent. */
  holds(value: string | undefined): boolean {
    if (value === undefined) return !this.isRequired;
    if (this.#mustBeAbsent || this.#isDenied(value)) return false;
    if (this.#allowed?.has(value) === false) return false;
    if (this.#above === undefined && this.#below === undefined) return true;
    const number = parseInt64(value);
    if (number === undefined) return false;
    return !(
      (this.#above !== undefined && number <= this.#above) ||
      (this.#below !== undefined && number >= this.#below)
    );
  }

  #allow(values: readonly string[]): void {
    this.isRequired = true;
    const before = this.#allowed;
    this.#allowed = new Set(
      before === undefined ? values : values.filter((value) => before.has(value)),
    );
  }

  #deny(values: readonly string[]): void {
    for (const value of values) {
      if (this.#denied === undefined) this.#denied = value;
      else if (typeof this.#denied === 'string') this.#denied = new Set([this.#denied, value]);
      else this.#denied.add(value);
    }
  }

  #isDenied(value: string): boolean {
    const denied = this.#denied;
    return denied instanceof Set ? denied.has(value) : denied === value;
  }

  #compare(operator: 'gt' | 'lt', bound: number | bigint | undefined): void {
    this.isRequired = true;
    if (bound === undefined) this.#allowed = new Set();
    else if (operator === 'gt') {
      if (this.#above === undefined || bound > this.#above) this.#above = bound;
    } else if (this.#below === undefined || bound < this.#below) this.#below = bound;
  }
}

/**
 * The test of a selector with many terms, grouped by key: it costs as much as
 * the object has labels, not as much as the selector has terms.
 */
export function groupedTest(
  requirements: readonly LabelRequirement[],
): (labels: Labels) => boolean {
  const conditions = new Map<string, Condition>();
  for (const requirement of requirements) {
    let condition = conditions.get(requirement.key);
    if (condition === undefined) conditions.set(requirement.key, (condition = new Condition()));
    condition.add(requirement);
  }
  const required = [...conditions].filter(([, condition]) => condition.isRequired);
  const others = new Map([...conditions].filter(([, condition]) => !condition.isRequired));
  return (labels) => {
    // The first label that is missing ends it, so this costs as much as there are labels at most.
    for (const [key, condition] of required) {
      if (!condition.holds(textOf(labels[key]))) return false;
    }
    if (others.size === 0) return true;
    for (const key in labels) {
      const condition = others.get(key);
      if (condition !== undefined && !condition.holds(textOf(labels[key]))) return false;
    }
    return true;
  };
}

/** The same for fields: each field is looked up once, and an absent one has the empty text. */
export function groupedFieldTest(
  requirements: readonly { field: string; operator: '=' | '!='; value: string }[],
): (fields: (field: string) => string) => boolean {
  const conditions = new Map<string, Condition>();
  for (const { field, operator, value } of requirements) {
    let condition = conditions.get(field);
    if (condition === undefined) conditions.set(field, (condition = new Condition()));
    condition.add({ operator, values: [value] });
  }
  return (fields) => {
    for (const [field, condition] of conditions) if (!condition.holds(fields(field))) return false;
    return true;
  };
}

/** Labels are strings; what an object inherits is none of them. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
