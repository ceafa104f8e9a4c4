/** Content types (RFC 5652 §4, RFC 3161 §2.4.2). */
export const contentTypes = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
} as const

/** Attributes of signers (RFC 5652 §11, RFC 5035, EN 319 122-1). */
export const attributeOids = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  counterSignature: '1.2.840.113549.1.9.6',
  contentHints: '1.2.840.113549.1.9.16.2.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  signaturePolicy: '1.2.840.113549.1.9.16.2.15',
  commitmentType: '1.2.840.113549.1.9.16.2.16',
  signerLocation: '1.2.840.113549.1.9.16.2.17',
  signerAttributes: '1.2.840.113549.1.9.16.2.18',
  contentTimestamp: '1.2.840.113549.1.9.16.2.20',
  certificateRefs: '1.2.840.113549.1.9.16.2.21',
  revocationRefs: '1.2.840.113549.1.9.16.2.22',
  certificateValues: '1.2.840.113549.1.9.16.2.23',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
  referencesTimestamp: '1.2.840.113549.1.9.16.2.25',
  certificatesTimestamp: '1.2.840.113549.1.9.16.2.26',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  archiveTimestampV2: '1.2.840.113549.1.9.16.2.48',
  mimeType: '0.4.0.1733.2.1',
  signerAttributesV2: '0.4.0.19122.1.1',
  archiveTimestampV3: '0.4.0.1733.2.4',
  archiveHashIndexV1: '0.4.0.1733.2.5',
  archiveHashIndexV2: '0.4.0.19122.1.4',
  archiveHashIndexV3: '0.4.0.19122.1.5',
} as const

/** Attributes of X.520 that a claimed role stands in: what others write, and the one that is made for it. */
export const roleAttributes = { name: '2.5.4.41', role: '2.5.4.72' } as const

/** The qualifier that says where a signature policy is published (RFC 5126 §5.8.1). */
export const POLICY_URI_QUALIFIER = '1.2.840.113549.1.9.16.5.1'

/** An OCSP response among the revocation data of a SignedData (RFC 5940 §2.1). */
export const OCSP_RESPONSE_FORMAT = '1.3.6.1.5.5.7.16.2'
