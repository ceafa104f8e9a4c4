/** Bytes, or the same as base64. */
export type Bytes = Uint8Array | string

/** Base64 as on the wire. `btoa` takes one character per byte; hashes are short. */
export const base64Of = (value: Bytes): string =>
  typeof value === 'string' ? value : btoa(String.fromCharCode(...value))

export const bytesIn = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
