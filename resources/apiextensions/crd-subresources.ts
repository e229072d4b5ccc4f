import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import type { CrdSubresources } from './crd-types.ts';
import { keysOfPath, validatePathUnder } from './simple-path.ts';

/** What stands around the subresources of a version. */
interface SubresourcesContext {
  readonly schema: JsonObject | undefined;
  /** Those of the same version before an update: what they say may stay. */
  readonly old: CrdSubresources | undefined;
}

/** Source: specification 3, section 2.1, subresources; behaviours 7.13. */
export function validateSubresources(
  path: FieldPath,
  { scale }: CrdSubresources,
  { schema, old }: SubresourcesContext,
): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  const at = path.child('scale');
  const errors = [
    ...validateNeeded(at.child('specReplicasPath'), specReplicasPath, '.spec.'),
    ...validateNeeded(at.child('statusReplicasPath'), statusReplicasPath, '.status.'),
  ];
  if (labelSelectorPath !== '') {
    const roots = ['.spec.', '.status.'];
    const selector = at.child('labelSelectorPath');
    const wrong = validatePathUnder(selector, labelSelectorPath, roots);
    errors.push(...wrong);
    const type = typeAt(schema, keysOfPath(labelSelectorPath));
    const isKnown = old?.scale?.labelSelectorPath === labelSelectorPath;
    if (wrong.length === 0 && type !== '' && type !== 'string' && !isKnown) {
      const why = 'must point to a field of type string, which holds a serialized label selector';
      errors.push(fieldError.invalid(selector, labelSelectorPath, why));
    }
  }
  return errors;
}

function validateNeeded(path: FieldPath, jsonPath: string, root: string): FieldError[] {
  return jsonPath === '' ? [fieldError.required(path)] : validatePathUnder(path, jsonPath, [root]);
}

/** The type of the field at these keys; empty where the schema says none. */
function typeAt(schema: JsonObject | undefined, keys: readonly string[]): string {
  const type = getPath(schema, ...keys.flatMap((key) => ['properties', key]), 'type');
  return typeof type === 'string' ? type : '';
}
