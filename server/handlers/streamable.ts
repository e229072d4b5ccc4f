import type { ListOptions } from '../../registry/list-options.ts';
import { fieldSelectionOf, type SelectableFields } from '../../registry/field-selection.ts';
import { labelSelectorOf } from '../../registry/selection.ts';
import type { Target } from '../../registry/served-resource.ts';
import type { Exchange } from '../../http/exchange.ts';
import { negotiateStream } from '../../wire/negotiate.ts';

/** A stream must be acceptable; that its selectors cannot be read is said first. @throws ApiError */
export function checkStreamable(
  { request }: Exchange,
  { resource }: Target,
  { labelSelector, fieldSelector }: ListOptions,
  selectable: SelectableFields,
): void {
  try {
    negotiateStream(request, resource);
  } catch (error) {
    labelSelectorOf(labelSelector);
    fieldSelectionOf(fieldSelector, resource, selectable);
    throw error;
  }
}
