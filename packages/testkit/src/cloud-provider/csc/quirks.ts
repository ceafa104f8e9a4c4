/** Ways in which CSC servers differ from one another and from the specification. */
export interface CscQuirks {
  /** How a credential is authorized. */
  authorizationMode: 'oauth2code' | 'explicit' | 'implicit'
  /** 2: an authorization lists its hashes. */
  scal: '1' | '2'
  /** Most signatures of one authorization. */
  multisign: number
  /** Signatures in the order of the sorted hashes, as the EUDI reference server gives them. */
  sortedSignatures: boolean
  /** `{message}` instead of `{error, error_description}`, as the same server refuses. */
  messageErrors: boolean
  /** Hashes of signHash are percent-encoded base64, as the same server requires. */
  percentEncodedHashes: boolean
  /** What 1.0.4 calls a token of scope `credential`. */
  credentialTokenType: 'SAD' | 'Bearer'
  /** Algorithms of RSA keys, where others than all: `plain` is rsaEncryption alone. */
  rsaAlgorithms: 'all' | 'plain'
  /** Credentials of one page of credentials/list (1.0.4). */
  pageSize: number
  /** Lifetimes are omitted, so that the default of the specification applies. */
  omitLifetimes: boolean
  /** Unsupported methods. */
  missingMethods: readonly string[]
}

/** A server that follows the specification. */
export const plainCscQuirks = (): CscQuirks => ({
  authorizationMode: 'oauth2code',
  scal: '1',
  multisign: 10,
  sortedSignatures: false,
  messageErrors: false,
  percentEncodedHashes: false,
  credentialTokenType: 'SAD',
  rsaAlgorithms: 'all',
  pageSize: 100,
  omitLifetimes: false,
  missingMethods: [],
})
