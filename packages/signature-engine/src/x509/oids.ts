/** Attribute types of names (X.520, RFC 4519) and the short names RFC 4514 gives them. */
export const attributeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
}

/** The type of an attribute by its short name, or as it is written in numbers. */
export function attributeOid(name: string): string | undefined {
  if (/^\d+(\.\d+)+$/.test(name)) return name
  return Object.entries(attributeNames).find(([, known]) => known.toLowerCase() === name.toLowerCase())?.[0]
}

/** Extensions of certificates and lists (RFC 5280 §4.2, §5.2). */
export const extensionOids = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  crlReason: '2.5.29.21',
  holdInstruction: '2.5.29.23',
  invalidityDate: '2.5.29.24',
  nameConstraints: '2.5.29.30',
  deltaCrlIndicator: '2.5.29.27',
  issuingDistributionPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  freshestCrl: '2.5.29.46',
  inhibitAnyPolicy: '2.5.29.54',
  expiredCertsOnCrl: '2.5.29.60',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
} as const

/** The policy that stands for any (RFC 5280 §4.2.1.4). */
export const ANY_POLICY = '2.5.29.32.0'

/** Access methods of the authority information (RFC 5280 §4.2.2.1). */
export const accessMethods = {
  ocsp: '1.3.6.1.5.5.7.48.1',
  caIssuers: '1.3.6.1.5.5.7.48.2',
} as const

/** Extended key usages the engine checks for. */
export const keyPurposes = {
  any: '2.5.29.37.0',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
} as const
