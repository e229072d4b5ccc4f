import { apiVersionOf } from '../../api/group-version.ts';
import { coreEventSchema } from '../../resources/events/core-event.ts';
import { tokenRequestDefinition } from '../../resources/authentication/token-request.ts';
import { builtinDefinitions } from '../../resources/builtin.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { REVIEW_DEFINITIONS } from '../../resources/reviews.ts';
import { DeleteOptions } from '../../schema/meta-types.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';

let known: ReadonlyMap<string, StructuralSchema> | undefined;

/** The schema of a kind that clients send as protobuf; `apiVersion` in the neutral spelling. */
export function schemaOf(apiVersion: string, kind: string): StructuralSchema | undefined {
  // Delete options are the same in every group that lends them its name.
  if (kind === 'DeleteOptions') return DeleteOptions;
  known ??= builtinSchemas();
  return known.get(`${apiVersion} ${kind}`);
}

function builtinSchemas(): ReadonlyMap<string, StructuralSchema> {
  const definitions = [
    ...builtinDefinitions(ALL_FEATURE_GATES),
    ...REVIEW_DEFINITIONS,
    tokenRequestDefinition,
  ];
  return new Map<string, StructuralSchema>([
    ['v1 Event', coreEventSchema],
    ...definitions.flatMap(({ group, names, versions }) =>
      versions.map(
        (version) =>
          [
            `${apiVersionOf({ group, version: version.name })} ${names.kind}`,
            version.schema(),
          ] as const,
      ),
    ),
  ]);
}
