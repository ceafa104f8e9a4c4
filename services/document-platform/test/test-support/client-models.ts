// What public clients of API 2.1.1 can send: every request model with its fields, and every enumeration. Names and types
// only, in the words of the generator; a type is a model, an enumeration or a plain value, `[]` a list of it.

/** Request models and those inside them. */
export const requestModels: Readonly<Record<string, string>> = {
  DocumentsCreateDocumentRequest: `
    files: FileUploadModel[], attachments: AttachmentsAttachmentUploadModel[], xmlNamespaces: XmlNamespaceModel[],
    isEnvelope: bool, envelopeName: str, participantsDataFile: UploadModel, templateFieldValues: map, folderId: str,
    description: str, flowActions: FlowActionsFlowActionCreateModel[], observers: ObserversObserverCreateModel[],
    disablePendingActionNotifications: bool, disableNotifications: bool, newFolderName: str, forceCadesSignature:
    bool, notifiedEmails: str[], additionalInfo: DocumentsDocumentAdditionalInfoData, tags:
    DocumentsDocumentTagData[], signatureType: SignatureTypes, securityContextId: str, templateId: str,
    expirationDate: datetime`,
  FileUploadModel: 'displayName: str, id: str, name: str, contentType: str',
  AttachmentsAttachmentUploadModel: 'isPrivate: bool, displayName: str, id: str, name: str, contentType: str',
  XmlNamespaceModel: 'prefix: str, uri: str',
  UploadModel: 'id: str, name: str, contentType: str',
  FlowActionsFlowActionCreateModel: `
    user: UsersParticipantUserModel, signRuleUsers: UsersParticipantUserModel[], type: FlowActionType, step: int,
    numberRequiredSignatures: int, ruleName: str, allowRuleFlowToContinueIfRefused: bool, title: str,
    prePositionedMarks: DocumentMarkPrePositionedDocumentMarkModel[], allowElectronicSignature: bool,
    requireSmsAuthenticationToSignElectronically: bool, requireWhatsappAuthenticationToSignElectronically: bool,
    requireAuthenticatorAppToSignElectronically: bool, requireSelfieAuthenticationToSignElectronically: bool,
    requireDatavalidAuthenticationToSignElectronically: bool, requirePixAuthenticationToSignElectronically: bool,
    requireLivenessAuthenticationToSignElectronically: bool, requireIdScanAuthenticationToSignElectronically: bool,
    disableEmailAuthenticationToSignElectronically: bool, requiredCertificateTypeToSign: CertificateTypes,
    requireCompanyCertificate: bool, requiredCompanyIdentifier: str, requiredCertificateHolderTypeToSign:
    CertificateHolderTypes, xadesOptions: FlowActionsXadesOptionsModel, signatureInitialsMode:
    SignatureInitialsModes`,
  UsersParticipantUserModel: 'id: str, name: str, identifier: str, email: str, phone: str',
  DocumentMarkPrePositionedDocumentMarkModel: `
    type: DocumentMarkType, uploadId: str, topLeftX: float, topLeftY: float, width: float, height: float,
    pageNumber: int, fontSize: float`,
  FlowActionsXadesOptionsModel: `
    signatureType: XadesSignatureTypes, elementToSignIdentifierType: XadesElementIdentifierTypes,
    elementToSignIdentifier: str, insertionOption: XadesInsertionOptions, disableXPathTransformation: bool`,
  ObserversObserverCreateModel: 'user: UsersParticipantUserModel',
  DocumentsDocumentAdditionalInfoData: 'healthData: HealthDocumentsHealthDocumentData, fields: map, metadata: map',
  HealthDocumentsHealthDocumentData: `
    professional: HealthDocumentsHealthProfessionalModel, items: HealthDocumentsHealthItemModel[]`,
  HealthDocumentsHealthProfessionalModel: 'id: str, region: str',
  HealthDocumentsHealthItemModel: 'name: str, description: str, description2: str',
  DocumentsDocumentTagData: 'label: str, value: str',
  DocumentsDocumentAddVersionRequest: `
    file: FileUploadModel, disablePendingActionNotifications: bool, additionalInfo:
    DocumentsDocumentAdditionalInfoData, prePositionedMarks: DocumentsPrePositionedMarkModel[]`,
  DocumentsPrePositionedMarkModel: `
    flowActionId: str, prePositionedDocumentMarks: DocumentMarkPrePositionedDocumentMarkModel[]`,
  DocumentsEnvelopeAddVersionRequest: `
    files: FileUploadModel[], disablePendingActionNotifications: bool, additionalInfo:
    DocumentsDocumentAdditionalInfoData, prePositionedMarks: DocumentsPrePositionedMarkModel[]`,
  DocumentsDocumentFlowEditRequest: `
    addedFlowActions: FlowActionsFlowActionCreateModel[], editedFlowActions: FlowActionsFlowActionEditModel[],
    deletedFlowActionIds: str[], addedObservers: ObserversObserverCreateModel[], editedObservers:
    ObserversObserverEditModel[], deletedObserverIds: str[]`,
  FlowActionsFlowActionEditModel: `
    flowActionId: str, step: int, participantEmailAddress: str, ruleName: str, signRuleUsers:
    FlowActionsSignRuleUserEditModel[], title: str, prePositionedMarks:
    DocumentMarkPrePositionedDocumentMarkModel[], signatureInitialsMode: SignatureInitialsModes`,
  FlowActionsSignRuleUserEditModel: 'userId: str, emailAddress: str',
  ObserversObserverEditModel: 'observerId: str, emailAddress: str',
  DocumentsActionUrlRequest: 'identifier: str, emailAddress: str, requireEmailAuthentication: bool, flowActionId: str',
  DocumentsCancelDocumentRequest: 'reason: str',
  RefusalRefusalRequest: 'reason: str',
  DocumentsMoveDocumentRequest: 'folderId: str, newFolderName: str',
  DocumentsMoveDocumentBatchRequest: 'documents: str[], folderId: str, newFolderName: str',
  DocumentsDocumentNotifiedEmailsEditRequest: 'emails: str[]',
  DocumentFlowsDocumentFlowCreateRequest: `
    name: str, areActionsOrdered: bool, flowActions: FlowActionsFlowActionCreateModel[], observers:
    ObserversObserverCreateModel[]`,
  DocumentFlowsDocumentFlowData: `
    name: str, areActionsOrdered: bool, flowActions: FlowActionsFlowActionCreateModel[], observers:
    ObserversObserverCreateModel[]`,
  DocumentMarkMarksSessionCreateRequest: `
    files: UploadModel[], isEnvelope: bool, flowActions: DocumentMarkFlowActionPositionModel[], signatureType:
    SignatureTypes`,
  DocumentMarkFlowActionPositionModel: `
    id: str, type: FlowActionType, user: UsersParticipantUserModel, signatureInitialsMode: SignatureInitialsModes,
    ruleName: str, numberRequiredSignatures: int, prePositionedMarks: DocumentMarkPrePositionedDocumentMarkModel[]`,
  FoldersFolderCreateRequest: 'name: str, parentId: str',
  FoldersFolderDeleteRequest: 'deleteAction: DeleteAction, destinationFolderId: str',
  InvoicesUpdateInvoicePaymentStatusRequest: 'isPaid: bool',
  NotificationsCreateFlowActionReminderRequest: 'documentId: str, flowActionId: str',
  NotificationsEmailListNotificationRequest: 'emails: str[]',
  OrganizationsOrganizationUserPostRequest: `
    accessProfile: OrganizationsAccessProfileModel, id: str, name: str, identifier: str, email: str, phone: str`,
  OrganizationsAccessProfileModel: 'administrator: bool, manager: bool, operator: bool',
  SignatureSignaturesInfoRequest: 'fileId: str, mimeType: str, signatureType: SignatureTypes, securityContextId: str',
  UploadsUploadBytesRequest: 'bytes: str',
}

/** Fields that are refused by their name when they ask for something, with the code. All others are honoured. */
export const refusedFields: Readonly<Record<string, string>> = {
  'DocumentsCreateDocumentRequest.participantsDataFile': 'InvalidRequest',
  'FlowActionsFlowActionCreateModel.requireSmsAuthenticationToSignElectronically': 'AuthenticationNotAvailable',
  'FlowActionsFlowActionCreateModel.requireWhatsappAuthenticationToSignElectronically': 'AuthenticationNotAvailable',
  'FlowActionsFlowActionCreateModel.requireAuthenticatorAppToSignElectronically': 'AuthenticationNotAvailable',
  'FlowActionsFlowActionCreateModel.requireSelfieAuthenticationToSignElectronically': 'AuthenticationNotAvailable',
  'FlowActionsFlowActionCreateModel.requireDatavalidAuthenticationToSignElectronically': 'AuthenticationNotAvailable',
  'FlowActionsFlowActionCreateModel.requirePixAuthenticationToSignElectronically': 'AuthenticationNotAvailable',
  'FlowActionsFlowActionCreateModel.requireLivenessAuthenticationToSignElectronically': 'AuthenticationNotAvailable',
  'FlowActionsFlowActionCreateModel.requireIdScanAuthenticationToSignElectronically': 'AuthenticationNotAvailable',
}

/** Enumerations that requests use, in bodies and queries. */
export const requestEnumerations: Readonly<Record<string, string>> = {
  CertificateHolderTypes: 'Individual, Company',
  CertificateTypes: 'A1, A2, A3, A4, S1, S2, S3, S4, T3, T4',
  DeleteAction: 'MoveContent, DeleteContent',
  DocumentDownloadTypes:
    'Original, PrinterFriendlyVersion, Signatures, OriginalWithMarks, SigningTags, SignatureMarks, SignaturesManifest',
  DocumentFilterStatus: 'PendingOrRefused, Concluded, CanceledOrExpired, Pending, Refused, Canceled, Expired',
  DocumentMarkType: 'SignatureVisualRepresentation, SignatureInitials, AuthenticationStamp',
  DocumentQueryTypes: 'Name, Key, Id, CreatorName, Tag',
  DocumentTicketType:
    'Original, PrinterFriendlyVersion, Signatures, OriginalWithMarks, SigningTags, SignatureMarks, SignaturesManifest',
  DocumentTypes:
    'Deed, PowerOfAttorney, Prescription, MedicalCertificate, ExamRequest, LabReport, DischargeSummary, ClinicalRecord, DrugDispensing, Vaccination, MedicalReport',
  FlowActionType: 'Signer, Approver, SignRule',
  FolderType: 'Normal, WithoutFolder',
  PaginationOrders: 'Asc, Desc',
  ParticipantQueryTypes: 'Name, Identifier, Email, Phone',
  SignatureInitialsModes: 'None, Optional, Required',
  SignatureTypes: 'None, Simple, Advanced, Qualified',
  XadesElementIdentifierTypes: 'Id, XPath',
  XadesInsertionOptions: 'AppendChild, PrependChild, AppendSibling, PrependSibling',
  XadesSignatureTypes: 'FullXml, XmlElement, FullXmlAdRc',
}

/** Enumerations of answers and events alone; `OrganizationType` and `NotaryTypes` belong to routes and wishes of others. */
export const otherEnumerations = [
  'ActionStatus',
  'AgentTypes',
  'AuthenticationTypes',
  'BillingInformationTypes',
  'DocumentStatus',
  'NotarizationStatus',
  'NotaryTypes',
  'OrganizationType',
  'Probability',
  'TransactionPricingTypes',
  'TransactionTypes',
  'WebhookTypes',
  'WebhooksDocumentsDeletedAction',
] as const

export interface ClientField {
  readonly name: string
  readonly type: string
  readonly isList: boolean
}

/** The fields of a model as it is written above and in the list of facts. */
export const fieldsOf = (text: string): readonly ClientField[] =>
  text
    .replaceAll('dict(str, str)', 'map')
    .trim()
    .split(/,\s+/)
    .map((field) => {
      const [name, type] = field.split(/:\s+/) as [string, string]
      return { name, type: type.replace('[]', ''), isList: type.endsWith('[]') }
    })
