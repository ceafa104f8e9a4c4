/** Texts that a store keeps or a library of the system reads: neither takes NUL. */
export const NO_NUL = '^[^\\u0000]*$'
