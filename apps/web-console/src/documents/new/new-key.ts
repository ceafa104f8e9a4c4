let made = 0

/** A name for something on the page. `crypto.randomUUID` is there on https and localhost only. */
export const newKey = (): string => `n${++made}`
