/** How the value of a field is written: the lowest three bits of its tag. */
export const WIRE = { VARINT: 0, FIXED64: 1, BYTES: 2, FIXED32: 5 } as const;
