// The models that operations share (pki-core facts 2.1, 2.8, 2.9).
import Type from 'typebox'
import { Bytes, orNull, Text, Time } from './common.ts'

/** What is said of certificates. */
export const certificateItemTypes = [
  'Success',
  'CertificateNotYetValid',
  'CertificateExpired',
  'CertificateRevoked',
  'CertificateIssuerNotFound',
  'CertificateRevocationStatusUnknown',
  'CertificateChainRootNotTrusted',
  'InvalidCertificateSignature',
  'DecodeError',
  'SignatureAlgorithmValidationFailed',
  'InvalidKeyUsage',
  'UnauthorizedIssuer',
  'CertificateIssuerValid',
  'CertificateIssuerInvalid',
  'CertificateValidationFailed',
  'InvalidCertificationPathLen',
  'AlgorithmNotAllowed',
] as const

/** Types of validation items, those of signatures besides; clients know this list and no other. */
const validationItemTypes = [
  ...certificateItemTypes,
  'MessageDigestMismatch',
  'SigningCertificateNotFound',
  'SigningCertificateDigestMismatch',
  'SignatureVulnerableToSignerSubstitution',
  'SigningTimeOutOfCertificateValidity',
  'SignaturePolicyMismatch',
  'UnacceptableSignaturePolicy',
  'InvalidSignatureTimestamp',
  'XmlDSigCoreValidationFailed',
  'RequiredSignedAttributeMissing',
] as const

export type ValidationItemType = (typeof validationItemTypes)[number]

export interface ValidationItem {
  readonly type: ValidationItemType
  readonly message: string
  readonly detail: string | null
  readonly innerValidationResults: ValidationResults | null
}

export interface ValidationResults {
  readonly passedChecks: readonly ValidationItem[]
  readonly errors: readonly ValidationItem[]
  readonly warnings: readonly ValidationItem[]
}

/** Validation results contain those of issuers, and so on: the type says it once, the schema of an answer lets it pass. */
const Nested = Type.Unsafe<ValidationResults | null>(Type.Any())

const ValidationItemModel = Type.Object(
  {
    type: Type.Enum([...validationItemTypes]),
    message: Text,
    detail: orNull(Text),
    innerValidationResults: Nested,
  },
  { $id: 'ValidationItemModel' },
)

/** Valid without errors. */
export const ValidationResultsModel = Type.Object(
  {
    passedChecks: Type.Array(ValidationItemModel),
    errors: Type.Array(ValidationItemModel),
    warnings: Type.Array(ValidationItemModel),
  },
  { $id: 'ValidationResultsModel' },
)

const nameFields = [
  'country',
  'organization',
  'organizationUnit',
  'dnQualifier',
  'stateName',
  'commonName',
  'serialNumber',
  'locality',
  'title',
  'surname',
  'givenName',
  'initials',
  'pseudonym',
  'generationQualifier',
  'emailAddress',
] as const

export type NameField = (typeof nameFields)[number]

export const NameModel = Type.Object(
  {
    ...(Object.fromEntries(nameFields.map((field) => [field, orNull(Text)])) as Record<
      NameField,
      ReturnType<typeof orNull<typeof Text>>
    >),
    allValues: Type.Record(Type.String(), Type.Array(Text)),
    dnString: Text,
  },
  { $id: 'NameModel' },
)

const pkiBrazilTypes = ['Unknown', 'A1', 'A2', 'A3', 'A4', 'S1', 'S2', 'S3', 'S4', 'T3', 'T4'] as const

export const PkiBrazilCertificateModel = Type.Object(
  {
    certificateType: Type.Enum([...pkiBrazilTypes]),
    cpf: orNull(Text),
    cnpj: orNull(Text),
    responsavel: orNull(Text),
    dateOfBirth: orNull(Text),
    companyName: orNull(Text),
    oabUF: orNull(Text),
    oabNumero: orNull(Text),
    rgEmissor: orNull(Text),
    rgEmissorUF: orNull(Text),
    rgNumero: orNull(Text),
  },
  { $id: 'PkiBrazilCertificateModel' },
)

const summaryFields = {
  thumbprint: Type.String({ description: 'SHA-1, hexadecimal.' }),
  thumbprintSHA256: Type.String({ description: 'Hexadecimal.' }),
  subjectCommonName: orNull(Text),
  subjectDisplayName: orNull(Text),
  subjectIdentifier: orNull(Text),
  emailAddress: orNull(Text),
  organization: orNull(Text),
  organizationIdentifier: orNull(Text),
}

/** What a document shows of whoever signed it. */
export const CertificateSummary = Type.Object(summaryFields, { $id: 'CertificateSummary' })

const certificateFields = {
  subjectName: NameModel,
  issuerName: NameModel,
  issuerDisplayName: orNull(Text),
  serialNumber: Type.String({ description: 'Decimal.' }),
  validityStart: Time,
  validityEnd: Time,
  pkiBrazil: orNull(PkiBrazilCertificateModel),
  pkiItaly: Type.Null(),
  binaryThumbprintSHA256: Bytes,
  ...summaryFields,
}

const IssuerModel = Type.Object(certificateFields)

/** A certificate with its issuers, as far as they are known. */
export type CertificateView = Type.Static<typeof IssuerModel> & { readonly issuer: CertificateView | null }

export const CertificateModel = Type.Object(
  { ...certificateFields, issuer: Type.Unsafe<CertificateView | null>(Type.Any()) },
  { $id: 'CertificateModel' },
)

/** What a key has to sign, in the forms of every client. */
export const SignatureParametersModel = Type.Object(
  {
    signatureAlgorithm: Type.Object(
      {
        algorithm: orNull(
          Type.Enum(['MD5WithRSA', 'SHA1WithRSA', 'SHA256WithRSA', 'SHA384WithRSA', 'SHA512WithRSA'], {
            description: 'Null for keys of other kinds, which this list does not name.',
          }),
        ),
        oid: Text,
        digestAlgorithm: Type.Enum(['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512', 'SHA3_256']),
        digestAlgorithmOid: Text,
      },
      { $id: 'SignatureAlgorithmIdentifier' },
    ),
    data: Bytes,
    hash: Bytes,
    digestInfo: Bytes,
  },
  { $id: 'SignatureParametersModel' },
)

/** The older form of the same hash. */
export const DigestAlgorithmAndValueModel = Type.Object(
  { algorithm: Type.Enum(['SHA256']), value: Bytes, hexValue: Text },
  { $id: 'DigestAlgorithmAndValueModel' },
)
