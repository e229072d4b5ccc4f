import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { CrdSubresources } from './crd-types.ts';
import { validatePathUnder } from './simple-path.ts';

/** Source: specification 3, section 2.1, subresources; behaviours 7.13. */
export function validateSubresources(path: FieldPath, { scale }: CrdSubresources): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  const at = path.child('scale');
  const errors = [
    ...validateNeeded(at.child('specReplicasPath'), specReplicasPath, '.spec.'),
    ...validateNeeded(at.child('statusReplicasPath'), statusReplicasPath, '.status.'),
  ];
  if (labelSelectorPath !== '') {
    const roots = ['.spec.', '.status.'];
    errors.push(...validatePathUnder(at.child('labelSelectorPath'), labelSelectorPath, roots));
  }
  return errors;
}

function validateNeeded(path: FieldPath, jsonPath: string, root: string): FieldError[] {
  return jsonPath === '' ? [fieldError.required(path)] : validatePathUnder(path, jsonPath, [root]);
}
