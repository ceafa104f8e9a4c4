// The versions of the CSC API that are served in parallel, and their names of things.

export interface CscVersion {
  /** Where it is served. */
  readonly path: string
  readonly specs: string
  readonly hashes: 'hash' | 'hashes'
  readonly hashAlgorithm: 'hashAlgo' | 'hashAlgorithmOID'
  /** Whether a token of scope `credential` may be the bearer of signHash; else it can only be its SAD. */
  readonly credentialBearer: boolean
  /** Whether a code challenge is required. 1.0.4 predates it; there it is optional. */
  readonly demandsPkce: boolean
  /** `type` of authorization_details. */
  readonly detailsType?: string
  /** How `info` describes the authorization server. */
  readonly authorizationServer: (base: string) => Readonly<Record<string, unknown>>
  /** Further fields of `info`. */
  readonly info: Readonly<Record<string, unknown>>
}

const algorithms = { algos: ['1.2.840.113549.1.1.1', '1.2.840.113549.1.1.11', '1.2.840.10045.4.3.2'] }

const second = {
  hashes: 'hashes',
  hashAlgorithm: 'hashAlgorithmOID',
  credentialBearer: true,
  demandsPkce: true,
} as const

/** By the names clients use. */
export const cscVersions = {
  '1.0.4': {
    path: '/csc/v1',
    specs: '1.0.4.0',
    hashes: 'hash',
    hashAlgorithm: 'hashAlgo',
    credentialBearer: false,
    demandsPkce: false,
    authorizationServer: (oauth2) => ({ oauth2 }),
    info: {},
  },
  '2.0': {
    ...second,
    path: '/csc/v2',
    specs: '2.0.0.2',
    detailsType: 'credential',
    authorizationServer: (oauth2) => ({ oauth2 }),
    info: {
      asynchronousOperationMode: false,
      validationInfo: false,
      signAlgorithms: algorithms,
      signature_formats: { formats: ['C', 'X', 'P'], envelope_properties: [['Detached'], ['Enveloped'], ['Revision']] },
      conformance_levels: ['AdES-B-B'],
    },
  },
  '2.2': {
    ...second,
    path: '/csc/v2.2',
    specs: '2.2.0.0',
    detailsType: 'https://cloudsignatureconsortium.org/2025/credential',
    authorizationServer: (baseUri) => ({
      oauth2Servers: [{ label: 'main', baseUri, authType: ['oauth2code'], supportsRar: true }],
    }),
    info: {
      asynchronousOperationMode: false,
      validationInfo: false,
      signAlgorithms: algorithms,
      signature_formats: { formats: ['C', 'X', 'P'], envelope_properties: [['Detached'], ['Enveloped'], ['Revision']] },
      conformance_levels: ['AdES-B-B'],
      supportedHashTypes: ['DTBSR'],
    },
  },
} as const satisfies Readonly<Record<string, CscVersion>>

export type CscVersionName = keyof typeof cscVersions
