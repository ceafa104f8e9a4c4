// Models shared by several routes (document-platform facts 1.5, 1.6, 1.9, 1.10).
import Type from 'typebox'
import { Count, cleanedLine, cleanedLines, Flag, Id, IdAndName, line, maybe, orNull, Text, Time } from './common.ts'
import { SecurityContextModel } from './security-contexts.ts'

export const documentStatuses = ['Pending', 'FlowConcluded', 'Concluded', 'Refused', 'Canceled', 'Expired'] as const
const actionStatuses = ['Created', 'Pending', 'Completed', 'Refused'] as const
export const documentTypes = [
  'Deed',
  'PowerOfAttorney',
  'Prescription',
  'MedicalCertificate',
  'ExamRequest',
  'LabReport',
  'DischargeSummary',
  'ClinicalRecord',
  'DrugDispensing',
  'Vaccination',
  'MedicalReport',
] as const
export const actionTypes = ['Signer', 'Approver', 'SignRule', 'ApproverRule'] as const
export const languages = ['Pt', 'En', 'Es'] as const
const agentTypes = ['User', 'Application'] as const
export const signatureTypes = ['None', 'Simple', 'Advanced', 'Qualified'] as const
const certificateTypes = ['A1', 'A2', 'A3', 'A4', 'S1', 'S2', 'S3', 'S4', 'T3', 'T4'] as const
const holderTypes = ['Individual', 'Company'] as const
const markTypes = ['SignatureVisualRepresentation', 'SignatureInitials', 'AuthenticationStamp'] as const

/** Position of a mark, in PDF points from the top left corner of the page as it is shown. */
const area = {
  topLeftX: Type.Number(),
  topLeftY: Type.Number(),
  width: Type.Number({ exclusiveMinimum: 0, maximum: 14_400 }),
  height: Type.Number({ exclusiveMinimum: 0, maximum: 14_400 }),
  fontSize: maybe(Type.Number({ minimum: 1, maximum: 72 })),
}

export const Mark = Type.Object({
  type: Type.Optional(
    Type.Enum([...markTypes], {
      description:
        'AuthenticationStamp: the verification code, drawn when the document is created, before anybody signs.',
    }),
  ),
  uploadId: maybe(Id),
  pageNumber: maybe(Type.Integer({ minimum: 1, maximum: 100_000 })),
  ...area,
})

export const SignaturePosition = Type.Object({
  type: maybe(Text),
  /** Clients in one language send `page` instead. */
  pageNumber: maybe(Type.Integer({ minimum: 1, maximum: 100_000 })),
  page: maybe(Type.Integer({ minimum: 1, maximum: 100_000 })),
  ...area,
})

export const ParticipantUser = Type.Object({
  id: maybe(Id),
  name: maybe(line(200)),
  identifier: maybe(Type.String({ maxLength: 20, description: 'CPF.' })),
  email: maybe(Type.String({ maxLength: 254 })),
  phone: maybe(cleanedLine(40)),
})

export const xadesPolicies = ['AD-RT', 'AD-RC', 'AD-RA'] as const

const XadesOptions = Type.Object({
  signatureType: Type.Optional(Type.Enum(['FullXml', 'XmlElement', 'FullXmlAdRc'])),
  elementToSignIdentifierType: maybe(Type.Enum(['Id', 'XPath'])),
  elementToSignIdentifier: maybe(Type.String({ maxLength: 1000 })),
  insertionOption: maybe(Type.Enum(['AppendChild', 'PrependChild', 'AppendSibling', 'PrependSibling'])),
  disableXPathTransformation: maybe(Flag),
  policy: maybe(
    Type.Enum([...xadesPolicies], {
      description:
        'ICP-Brasil policy of the signature, of an element or of the whole; without it, as signatureType says. Other platforms ignore it.',
    }),
  ),
})

/** What an action may require of its participant, besides identity. */
export const actionOptions = {
  title: maybe(line(200)),
  ruleName: maybe(line(200)),
  notificationLanguage: maybe(Type.Enum([...languages])),
  allowRuleFlowToContinueIfRefused: maybe(Flag),
  allowElectronicSignature: maybe(Flag),
  requireSmsAuthenticationToSignElectronically: maybe(Flag),
  requireWhatsappAuthenticationToSignElectronically: maybe(Flag),
  requireAuthenticatorAppToSignElectronically: maybe(Flag),
  requireSelfieAuthenticationToSignElectronically: maybe(Flag),
  requireDatavalidAuthenticationToSignElectronically: maybe(Flag),
  requirePixAuthenticationToSignElectronically: maybe(Flag),
  requireLivenessAuthenticationToSignElectronically: maybe(Flag),
  requireIdScanAuthenticationToSignElectronically: maybe(Flag),
  disableEmailAuthenticationToSignElectronically: maybe(Flag),
  requiredCertificateTypeToSign: maybe(Type.Enum([...certificateTypes])),
  requireCompanyCertificate: maybe(
    Type.Boolean({ description: 'Only the certificate of a company, an e-CNPJ, signs.' }),
  ),
  requiredCertificateHolderTypeToSign: maybe(Type.Enum([...holderTypes])),
  requiredCompanyIdentifier: maybe(Type.String({ maxLength: 20, description: 'CNPJ.' })),
  prePositionedMarks: maybe(Type.Array(Mark, { maxItems: 500 })),
  signatureInitialsMode: maybe(Type.Enum(['None', 'Optional', 'Required'])),
  xadesOptions: maybe(XadesOptions),
}

export const FlowActionCreate = Type.Object({
  type: Type.Enum([...actionTypes]),
  step: maybe(Type.Integer({ minimum: 1, maximum: 1000, description: 'The same step: side by side.' })),
  user: maybe(ParticipantUser),
  ruleUsers: maybe(Type.Array(ParticipantUser, { maxItems: 100 })),
  signRuleUsers: maybe(Type.Array(ParticipantUser, { maxItems: 100, description: 'Former name of ruleUsers.' })),
  numberRequiredActions: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
  numberRequiredSignatures: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
  ...actionOptions,
})

export const ObserverCreate = Type.Object({
  user: ParticipantUser,
  notificationLanguage: maybe(Type.Enum([...languages])),
})

export const FileReference = Type.Object({
  id: Type.String({ description: 'Id of the upload.', maxLength: 64 }),
  displayName: maybe(cleanedLine(260)),
  name: cleanedLine(260),
  contentType: maybe(Type.String({ maxLength: 127 })),
})

export const AttachmentReference = Type.Object({ ...FileReference.properties, isPrivate: maybe(Flag) })

export const TagValue = Type.Object({
  label: maybe(line(100)),
  value: cleanedLines(400),
})

const Folder = Type.Object({ id: Id, name: Text, parentId: orNull(Id) }, { $id: 'Folder' })

export const Organization = Type.Object(
  { id: Id, name: Text, identifier: orNull(Text), owner: orNull(IdAndName) },
  { $id: 'OrganizationInfo' },
)

const Agent = Type.Object({ id: Id, name: Text, type: Type.Enum([...agentTypes]) }, { $id: 'Agent' })

const participant = { id: Id, name: Text, identifier: orNull(Text), email: orNull(Text), phone: orNull(Text) }

const RuleUser = Type.Object({
  ...participant,
  completeActionDate: orNull(Time),
  isElectronic: Flag,
  hasRefused: Flag,
  refusalDate: orNull(Time),
  refusalReason: orNull(Text),
})

export const FlowAction = Type.Object(
  {
    id: Id,
    type: Type.Enum([...actionTypes]),
    status: Type.Enum([...actionStatuses]),
    step: Type.Integer(),
    user: orNull(Type.Object(participant)),
    ruleUsers: Type.Array(RuleUser),
    signRuleUsers: Type.Array(Type.Object({ ...participant, signatureDate: orNull(Time) })),
    numberRequiredActions: orNull(Count),
    numberRequiredSignatures: orNull(Count),
    creationDate: Time,
    pendingDate: orNull(Time),
    updateDate: orNull(Time),
    refusalReason: orNull(Text),
    isElectronic: Flag,
    requireEmailAuthenticationToSignElectronically: Flag,
    marks: Type.Array(Mark),
    ...actionOptions,
  },
  { $id: 'FlowAction' },
)

const Observer = Type.Object({ id: Id, user: Type.Object(participant), notificationLanguage: orNull(Text) })

const Attachment = Type.Object({
  id: Id,
  displayName: Text,
  name: Text,
  contentType: Text,
  size: Count,
  isPrivate: Flag,
})

const Tag = Type.Object({ id: Id, label: orNull(Text), value: Text })

export const Document = Type.Object(
  {
    id: Id,
    name: Text,
    filename: Text,
    fileSize: Count,
    mimeType: Text,
    checksumMd5: Type.String({ description: 'Base64.' }),
    key: Type.String({ description: 'Verification code.' }),
    status: Type.Enum([...documentStatuses]),
    isConcluded: Flag,
    hasSignature: Flag,
    isDeleted: Flag,
    isEnvelope: Flag,
    isScanned: Flag,
    forceCadesSignature: Flag,
    signatureType: Type.Enum([...signatureTypes]),
    securityContext: orNull(SecurityContextModel),
    type: orNull(Text),
    folder: orNull(Folder),
    organization: orNull(Organization),
    creationDate: Time,
    updateDate: Time,
    expirationDate: orNull(Time),
    expirationDateWithoutTime: orNull(Text),
    createdBy: IdAndName,
    description: orNull(Text),
    statusUpdatedBy: orNull(Agent),
    statusUpdateReason: orNull(Text),
    tags: Type.Array(Tag),
    notifiedEmails: Type.Array(Text),
    observers: Type.Array(Observer),
    attachments: Type.Array(Attachment),
    permissions: Type.Object({ move: Flag, editFlow: Flag }),
    hideDownloadOptionForPendingDocuments: Flag,
    flowActions: Type.Array(FlowAction),
  },
  { $id: 'Document' },
)

export const DocumentListItem = Type.Object(
  {
    id: Id,
    name: Text,
    creationDate: Time,
    updateDate: Time,
    folder: orNull(Folder),
    type: orNull(Text),
    tags: Type.Array(Tag),
    /** An extension clients of other servers do not know: it saves them a read for each hit. */
    status: Type.Enum([...documentStatuses]),
    key: Text,
    expirationDate: orNull(Time),
    createdBy: IdAndName,
    pendingParticipants: Type.Array(Text),
  },
  { $id: 'DocumentListItem' },
)

const validationItem = {
  type: Text,
  message: Text,
  detail: orNull(Text),
  /** An extension clients of other servers do not know: the message in the reader's language. */
  messages: Type.Optional(Type.Object({ 'pt-BR': Text, 'en-US': Text })),
}

export const ValidationResults = Type.Object(
  {
    passedChecks: Type.Array(Type.Object(validationItem)),
    errors: Type.Array(Type.Object(validationItem)),
    warnings: Type.Array(Type.Object(validationItem)),
    indeterminateItens: Type.Array(Type.Object(validationItem), { description: 'Spelled as clients know it.' }),
    isValid: Flag,
  },
  { $id: 'ValidationResults' },
)

export const SignerInfo = Type.Object(
  {
    subjectName: orNull(Text),
    emailAddress: orNull(Text),
    issuerName: orNull(Text),
    identifier: orNull(Text),
    companyName: orNull(Text),
    companyIdentifier: orNull(Text),
    isElectronic: Flag,
    isTimestamp: Flag,
    signingTime: orNull(Time),
    certificateThumbprint: orNull(Type.String({ description: 'SHA-256, base64.' })),
    validityStart: orNull(Time),
    validityEnd: orNull(Time),
    signatureTimestamps: Type.Array(Type.Object({ genTime: Time, authority: orNull(Text) })),
    archiveTimestamps: Type.Array(Type.Object({ genTime: Time, authority: orNull(Text) })),
    attributeCertificates: Type.Array(Type.Unknown()),
    evidences: orNull(
      Type.Object({
        ipAddress: orNull(Text),
        authenticationTypes: Type.Array(Text),
        authenticatedEmail: orNull(Text),
        authenticatedApplication: orNull(Text),
        geolocation: Type.Optional(Type.Unknown()),
        timestamp: orNull(Time),
        evidencesSha256: orNull(Text),
      }),
    ),
    validationResults: orNull(ValidationResults),
  },
  { $id: 'SignerInfo' },
)

export const DocumentSignaturesInfo = Type.Object(
  {
    id: Id,
    name: Text,
    filename: Text,
    mimeType: Text,
    key: Text,
    createdBy: IdAndName,
    isConcluded: Flag,
    isFile: Flag,
    isEnvelope: Flag,
    creationDate: Time,
    updateDate: Time,
    status: Type.Enum([...documentStatuses]),
    type: orNull(Text),
    signatureType: Type.Enum([...signatureTypes]),
    securityContext: orNull(SecurityContextModel),
    signers: Type.Array(SignerInfo),
    digests: Type.Object(
      { original: Text, signed: orNull(Text) },
      { description: 'SHA-256, hex, of the file that was signed and of the file with its signatures.' },
    ),
  },
  { $id: 'DocumentSignaturesInfo' },
)
