import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import {
  API_APPROVED_ANNOTATION,
  isProtectedGroup,
  KUBERNETES_API_APPROVED_ANNOTATION,
} from '../../api/naming.ts';
import { parseUrl } from '../webhook-url.ts';
import type { CustomResourceDefinition } from './crd-types.ts';

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

/**
 * A definition in a group of the project itself says in an annotation where it
 * was approved, or that it is `unapproved`. What was there before may stay as it
 * is. Source: behaviours 7.10.
 */
export function validateApproval(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!isProtectedGroup(crd.spec.group)) return [];
  const text = approvalOf(crd);
  const approval = stateOf(text);
  if (old !== undefined && stateOf(approvalOf(old)) === approval) return [];
  const path = FieldPath.of('metadata', 'annotations').key(API_APPROVED_ANNOTATION);
  const rule = `protected groups must have approval annotation "${API_APPROVED_ANNOTATION}"`;
  switch (approval) {
    case 'missing':
      return [fieldError.required(path, rule)];
    case 'invalid':
      return [
        fieldError.invalid(
          path,
          text,
          `${rule} with either a URL or a reason starting with "unapproved"`,
        ),
      ];
    case 'approved':
    case 'bypassed':
      return [];
  }
}

function approvalOf({ metadata }: CustomResourceDefinition): string {
  const { annotations = {} } = metadata;
  for (const name of [API_APPROVED_ANNOTATION, KUBERNETES_API_APPROVED_ANNOTATION]) {
    const text = Object.hasOwn(annotations, name) ? annotations[name] : undefined;
    if (text !== undefined && text !== '') return text;
  }
  return '';
}

function stateOf(text: string): Approval {
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const url = parseUrl(text);
  return !('error' in url) && url.scheme !== '' && url.host !== '' ? 'approved' : 'invalid';
}
