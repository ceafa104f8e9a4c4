// Differences between the versions of the CSC API; everything else is common.
import type { CscKnobs } from '../../contract/provider-knobs.ts'

type CscVersion = CscKnobs['version']

/** The authorization mode of a credential, in the version's own field. */
interface CredentialAuthorization {
  readonly authMode?: string
  readonly auth?: { readonly mode: string }
}

export interface Dialect {
  /** Prefixes of `specs` in the server's info. */
  readonly specs: readonly string[]
  /** Names of hashes and of their algorithm, in bodies and, for hashes, in the query of oauth2/authorize. */
  readonly hashes: 'hash' | 'hashes'
  readonly hashAlgorithm: 'hashAlgo' | 'hashAlgorithmOID'
  /** Whether oauth2/authorize takes the algorithm with the hashes. */
  readonly algorithmInQuery: boolean
  /** A token of scope `credential` is sent as SAD beside the service's bearer, or is the bearer itself. */
  readonly credentialToken: 'SAD' | 'bearer'
  /** How a credential is authorized: `implicit`, `explicit`, `oauth2code`. */
  readonly modeOf: (credential: CredentialAuthorization) => string | undefined
  /** Fields only in this version's signHash. */
  readonly signing: Readonly<Record<string, unknown>>
  /** Rich authorization requests; 1.0.4 has none. */
  readonly details?: AuthorizationDetails
}

interface AuthorizationDetails {
  readonly type: string
  /** Whether they include the number of signatures. Otherwise it is one per digest. */
  readonly countsSignatures: boolean
  /** Fields of every digest: it is signed as it is (DTBSR). */
  readonly digest: Readonly<Record<string, string>>
}

const second = {
  hashes: 'hashes',
  hashAlgorithm: 'hashAlgorithmOID',
  algorithmInQuery: true,
  credentialToken: 'bearer',
  modeOf: ({ auth, authMode }) => auth?.mode ?? authMode,
  signing: { operationMode: 'S' },
} as const satisfies Partial<Dialect>

export const dialects: Readonly<Record<CscVersion, Dialect>> = {
  '1.0.4': {
    specs: ['1.'],
    hashes: 'hash',
    hashAlgorithm: 'hashAlgo',
    algorithmInQuery: false,
    credentialToken: 'SAD',
    modeOf: ({ authMode }) => authMode,
    signing: {},
  },
  '2.0': {
    ...second,
    specs: ['2.0.', '2.1.'],
    details: { type: 'credential', countsSignatures: false, digest: {} },
  },
  '2.2': {
    ...second,
    specs: ['2.2.'],
    details: {
      type: 'https://cloudsignatureconsortium.org/2025/credential',
      countsSignatures: true,
      digest: { hashType: 'DTBSR' },
    },
  },
}
