/** A valid file that mutations start from. */
export interface Seed {
  readonly name: string
  readonly bytes: Buffer
  /** What its signatures cover. "Valid" is wrong unless every one of these is still in the file. */
  readonly signedParts: readonly Buffer[]
  /** What a reader needs besides the bytes: the signature over a detached content, a password. */
  readonly beside: Readonly<Record<string, Buffer>>
}

/** What the judges of the fuzzer use: one time, one root, and the recorded answers of a network. */
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

/** A seed; most need nothing besides. */
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
