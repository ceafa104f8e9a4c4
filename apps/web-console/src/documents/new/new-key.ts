let made = 0

/** A unique key within the page. `crypto.randomUUID` exists on https and localhost only. */
export const newKey = (): string => `n${++made}`
