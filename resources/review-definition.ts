import type { FieldError } from '../api/field-error.ts';
import type { JsonObject } from '../api/json.ts';
import { pathSegmentNameErrors } from '../api/names.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import { builtinDefinition } from './builtin-definition.ts';
import { nameColumn } from './columns.ts';
import type { Renaming, ResourceDefinition } from './definition.ts';

interface ReviewKind {
  readonly group: string;
  readonly kind: string;
  readonly namespaced?: boolean;
  readonly schema: StructuralSchema;
  readonly validate?: (review: JsonObject) => FieldError[];
  readonly renamed?: Renaming;
}

/** A question that is asked by creating it: it is answered and never stored. */
export function reviewDefinition(review: ReviewKind): ResourceDefinition {
  const { group, kind, schema, namespaced = false, validate, renamed } = review;
  return builtinDefinition({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    verbs: ['create'],
    schema,
    strategy: {
      validateName: pathSegmentNameErrors,
      createOnUpdate: false,
      unconditionalUpdate: false,
      ...(validate === undefined ? {} : { validate: (object) => validate(object) }),
    },
    columns: [nameColumn],
    ...(renamed === undefined ? {} : { renamed }),
  });
}
