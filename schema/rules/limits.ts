/**
 * What rules may cost, in steps. Source: behaviours 7.19; k8s.io/apiserver
 * pkg/apis/cel/config.go and apiextensions-apiserver pkg/apis/apiextensions/validation.
 */

/** Of one evaluation of one expression. */
export const MAX_CALL_COST = 1_000_000;
/** Of all evaluations for one write of one object. */
export const MAX_OBJECT_COST = 10_000_000;
/** Estimated for one expression, times the values of its place that one object can have. */
export const MAX_EXPRESSION_ESTIMATE = 10_000_000n;
/** Estimated for all expressions of a schema together. */
export const MAX_SCHEMA_ESTIMATE = 100_000_000n;
/** Bytes of the text that a messageExpression may give. */
export const MAX_MESSAGE_BYTES = 5 * 1024;
