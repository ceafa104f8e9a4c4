/** An honest file that mutations start from. */
export interface Seed {
  readonly name: string
  readonly bytes: Buffer
  /** What its signatures vouch for. "Valid" is a lie unless every one of these still stands in the file. */
  readonly signedParts: readonly Buffer[]
  /** What a reader needs beside the bytes: the signature over a detached content, a password. */
  readonly beside: Readonly<Record<string, Buffer>>
}

/** What the judges of the fuzzer stand on: one moment, one root, and the answers a network would give. */
export interface Recording {
  readonly now: Date
  readonly anchor: Buffer
  /** The authority whose holders sign the seeds. */
  readonly issuer: Buffer
  /** One of them, with the key (PKCS#8) that opens the envelopes. */
  readonly holder: { readonly certificate: Buffer; readonly privateKey: Buffer }
  /** A token that stands for every timestamp a case asks for. */
  readonly token: Buffer
  /** Address → body; every other address is down. */
  readonly answers: ReadonlyMap<string, Buffer>
}

/** A seed; most have nothing beside them. */
export const seed = (
  name: string,
  bytes: Uint8Array,
  more: Partial<Pick<Seed, 'signedParts' | 'beside'>> = {},
): Seed => ({
  name,
  bytes: Buffer.from(bytes),
  signedParts: [],
  beside: {},
  ...more,
})
