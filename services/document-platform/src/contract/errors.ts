/** One entry of the vocabulary: the status it answers with, and the sentence clients show. */
interface ErrorEntry {
  readonly status: number
  readonly message: string
}

/**
 * Every code of the service (spec 3 A, document-platform facts 1.2). What the API refuses answers 422; 400 is for a
 * malformed call, 401 for a missing or unknown key, 403 for a key without the right. Clients dispatch on the code.
 */
export const errors = {
  MaxWebhooksLimitReached: { status: 422, message: 'The organization has as many webhooks as it may have.' },
  OperationNotSupportedInPersonalOrganizations: {
    status: 422,
    message: 'Personal organizations do not support this operation.',
  },
  WebhookNotFound: { status: 422, message: 'The organization has no webhook with this id.' },
  WebhookDisabled: { status: 422, message: 'The webhook is switched off: nothing is sent until it is enabled again.' },
  WebhookUrlNotAllowed: { status: 422, message: 'Events cannot be sent to this address.' },
  WebhookDeliveryNotFound: { status: 422, message: 'The organization has no webhook delivery with this id.' },

  DocumentNotFound: { status: 422, message: 'No document has this id.' },
  DocumentInvalidKey: { status: 422, message: 'No document has this key.' },
  DocumentNotPending: { status: 422, message: 'The document is not pending.' },
  DocumentNotConcluded: { status: 422, message: 'The document is not concluded.' },
  DocumentVersionNotAvailable: { status: 422, message: 'The document has no content of this type now.' },
  DocumentTypeNotSupported: { status: 422, message: 'The content of the file does not allow this.' },
  InvalidDocumentContent: { status: 422, message: 'The file is not what its type says.' },
  DocumentEncrypted: {
    status: 422,
    message: 'The PDF is protected: it cannot be read, or not be signed, without a password.',
  },
  DocumentDamaged: { status: 422, message: 'The PDF is damaged.' },
  DocumentAmbiguous: { status: 422, message: 'Programs would show different contents of this PDF.' },
  DocumentTooComplex: { status: 422, message: 'The PDF is larger or more complex than the service works on.' },
  EnvelopeRequiresPdf: { status: 422, message: 'An envelope is made of PDF files and has a name.' },
  ExpirationInPast: { status: 422, message: 'The expiration date has passed.' },
  FlowRequired: { status: 422, message: 'A document needs at least one participant.' },
  InvalidFlowAction: { status: 422, message: 'The flow action cannot be made, changed or completed like this.' },
  FlowActionNotFound: { status: 422, message: 'The document has no such flow action.' },
  ParticipantNotFound: { status: 422, message: 'The document has no pending action of this participant.' },
  MaxFilesLimitReached: { status: 422, message: 'There are more files than an envelope may have.' },
  MaxSignersLimitReached: { status: 422, message: 'There are more participants than a document may have.' },
  MaxDocumentsLimitReached: { status: 422, message: 'There are more documents than one call may carry.' },
  ObserverNotFound: { status: 422, message: 'The document has no such observer.' },
  AttachmentNotFound: { status: 422, message: 'The document has no such attachment.' },

  ActionTicketInvalidOrExpired: { status: 422, message: 'The ticket is not valid for this document, or has expired.' },
  SignatureTokenInvalidOrExpired: {
    status: 422,
    message: 'The token completes no signature: it is of another one, has expired, was used, or fits no longer.',
  },
  DocumentChanged: { status: 422, message: 'The document has changed since the signature was begun. Begin again.' },
  DocumentBusy: { status: 422, message: 'Others have been signing the document all the time. Try again in a moment.' },
  InvalidSignature: { status: 422, message: 'The signature was not made by the key of the certificate.' },
  CertificateNotFound: { status: 422, message: 'The request holds no certificate that can be read.' },
  CpfMismatch: { status: 422, message: 'The certificate is not of the participant.' },
  CpfNotExpected: { status: 422, message: 'The action asks for a certificate of another kind of holder.' },
  CertificateTypeNotAllowed: { status: 422, message: 'The action asks for another type of certificate.' },
  ElectronicSignatureNotAllowed: { status: 422, message: 'The action asks for a signature with a certificate.' },
  AuthenticationCodeInvalidOrExpired: { status: 422, message: 'The authentication code is wrong or has expired.' },
  AuthenticationNotAvailable: { status: 422, message: 'This way of authentication is not available here.' },
  TimestampNotAvailable: { status: 422, message: 'The signature needs a timestamp, and none can be had now.' },
  CloudCertificatesNotAvailable: { status: 422, message: 'Cloud certificates cannot be used here now.' },
  TokensNotAvailable: { status: 422, message: 'Tokens at a computer cannot be used here now.' },
  TokenSigningNotFound: { status: 422, message: 'The participant has begun no such signature.' },
  ComputerTestNotFound: { status: 422, message: 'The test of a computer is over, or was not begun here.' },
  EmailNotAvailable: { status: 422, message: 'This instance sends no e-mail.' },

  UploadNotFound: { status: 422, message: 'No upload has this id.' },
  UploadEmpty: { status: 422, message: 'The request carries no file, or an empty one.' },
  UploadTooLarge: { status: 422, message: 'The file is larger than uploads may be.' },
  UploadTicketInvalidOrExpired: { status: 422, message: 'The ticket of the segmented upload is not valid.' },
  UploadRangeInvalid: { status: 422, message: 'The segment does not continue the upload.' },

  FolderNotFound: { status: 422, message: 'No folder has this id.' },
  FolderNameTaken: { status: 422, message: 'There is a folder of this name already.' },
  InvalidFolderAction: { status: 422, message: 'The folder cannot be deleted like this.' },
  DocumentTemplateNotFound: { status: 422, message: 'No template has this id.' },
  GenerationNotFound: { status: 422, message: 'No generation of documents has this id.' },
  GenerationEnded: { status: 422, message: 'The generation of documents has ended.' },
  InvalidParticipantsFile: { status: 422, message: 'The file of participants cannot be used.' },
  SecurityContextNotFound: { status: 422, message: 'No security context has this id.' },
  DocumentFlowNotFound: { status: 422, message: 'No saved flow has this id.' },
  MarksSessionNotFound: { status: 422, message: 'No marks session has this id, or it has expired.' },

  OrganizationNotFound: { status: 422, message: 'No organization has this id.' },
  OrganizationIdentifierTaken: { status: 422, message: 'Another organization has this identifier.' },
  UserNotFound: { status: 422, message: 'No user has this id.' },
  UserEmailTaken: { status: 422, message: 'Another user has this e-mail address.' },
  LastAdministrator: { status: 422, message: 'An organization keeps at least one administrator.' },
  InvitationInvalidOrExpired: {
    status: 422,
    message: 'The invitation was accepted or withdrawn, or has expired.',
  },
  ProofAtIdentityProvider: {
    status: 422,
    message: 'Whoever signed in at the identity provider proves it there, by a fresh sign-in.',
  },
  PasswordWrong: { status: 422, message: 'This is not the present password.' },
  SecondFactorWrong: { status: 422, message: 'This is not the code that the authenticator app shows.' },
  PasswordTooCommon: { status: 422, message: 'The password is one that guessers try first; details says why.' },
  PasswordResetInvalidOrExpired: {
    status: 422,
    message: 'The link was used, is not the latest password’s, or has expired.',
  },
  SessionNotFound: { status: 422, message: 'The account has no session with this id.' },
  InvoiceNotFound: { status: 422, message: 'No invoice has this id.' },
  ApplicationNotFound: { status: 422, message: 'No application has this id.' },
  ApplicationNameInvalid: { status: 422, message: 'The application cannot have this name.' },
  ApiKeyNotFound: { status: 422, message: 'No key has this id.' },

  InvalidRequest: { status: 400, message: 'The request is not acceptable.' },
  Unauthorized: { status: 401, message: 'The key or the session is not accepted.' },
  InvalidCredentials: { status: 401, message: 'E-mail address and password do not belong together.' },
  SecondFactorCodeRequired: { status: 401, message: 'The code of the authenticator app is missing.' },
  SecondFactorRequired: {
    status: 403,
    message: 'The organization asks for a second factor: set up an authenticator app first.',
  },
  ReauthenticationRequired: {
    status: 403,
    message: 'Prove again who you are: POST /api/session/proof, or a fresh sign-in at the identity provider.',
  },
  Forbidden: { status: 403, message: 'The caller has no right to do this.' },
  RouteNotFound: { status: 404, message: 'Nothing answers here.' },
  TooManyRequests: { status: 429, message: 'Too many requests. Try again later.' },
  ServiceBusy: { status: 503, message: 'The service is too busy. Try again later.' },
  InternalError: { status: 500, message: 'Something went wrong inside the service.' },
} as const satisfies Readonly<Record<string, ErrorEntry>>

export type ErrorCode = keyof typeof errors

/** Why a PDF is not taken, or not drawn. */
export const pdfRefusals = ['DocumentEncrypted', 'DocumentDamaged', 'DocumentAmbiguous', 'DocumentTooComplex'] as const
