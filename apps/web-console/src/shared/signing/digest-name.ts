/** `sha256`, as services write it, and `SHA-256`, as keys are asked. */
export const digestName = (name: string): string => name.toUpperCase().replace(/^SHA-?/, 'SHA-')
