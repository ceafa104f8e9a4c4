/** Longest reason the service takes. */
export const MAX_REASON_LENGTH = 512
