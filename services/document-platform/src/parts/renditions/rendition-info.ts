/** The languages of renditions, as the API names them. */
export type RenditionLanguage = 'pt' | 'en' | 'es'

/** What the manifest and the printable version show of a document: plain data, independent of its source. */
export interface SignaturesInfo {
  readonly documentName: string
  /** Verification code of the document. */
  readonly key: string
  /** Where anybody can check it; also in the QR code. */
  readonly verificationUrl: string
  readonly status: 'Pending' | 'FlowConcluded' | 'Concluded' | 'Refused' | 'Canceled' | 'Expired'
  readonly organizationName: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly concludedAt?: Date
  readonly expiresAt?: Date
  /** SHA-256 of the original in hexadecimal. */
  readonly originalDigest?: string
  readonly participants: readonly ParticipantInfo[]
  /** Oldest first. */
  readonly events: readonly TimelineEvent[]
  /** Name of the time zone that dates are shown in, such as `America/Sao_Paulo`. */
  readonly timeZone: string
  /** When the rendition is made. */
  readonly generatedAt: Date
}

/** A signer or approver, or one of the participants of a rule. */
export interface ParticipantInfo {
  readonly role: 'Signer' | 'Approver'
  readonly name: string
  /** CPF, eleven digits; shown without its first three and last two. */
  readonly identifier?: string
  readonly email?: string
  /** In what capacity, such as `Testemunha`. */
  readonly title?: string
  /** The rule that names the participant. */
  readonly ruleName?: string
  readonly status: 'Created' | 'Pending' | 'Completed' | 'Refused'
  /** When it was signed, approved or refused. */
  readonly actedAt?: Date
  readonly how?: ActMethod
  readonly ipAddress?: string
  readonly refusalReason?: string
}

/** How somebody signed. */
export type ActMethod =
  | { readonly kind: 'certificate'; readonly issuer: string; readonly serialNumber?: string }
  | { readonly kind: 'electronic'; readonly confirmedBy: 'EmailCode' | 'SmsCode' | 'AuthenticatorApp' | 'Ticket' }

/** One line of a document's history. */
export interface TimelineEvent {
  readonly at: Date
  readonly type:
    | 'Created'
    | 'Signed'
    | 'Approved'
    | 'Refused'
    | 'Canceled'
    | 'Expired'
    | 'Concluded'
    | 'VersionAdded'
    | 'FlowEdited'
  /** Who did it; undefined for events caused by time. */
  readonly actor?: string
  /** Such as the reason of a refusal. */
  readonly detail?: string
}

/** A position on a page: points (1/72 inch) as the reader sees it, from the top left corner. */
export interface MarkPlace {
  /** From 1. Default 1. */
  readonly pageNumber?: number
  readonly topLeftX: number
  readonly topLeftY: number
  readonly width: number
  readonly height: number
  /** In points. Default: as large as the box allows. */
  readonly fontSize?: number
}

/** A labelled box at the position of a participant's mark. */
export interface LabelledMark extends MarkPlace {
  /** Mostly the participant's name; boxes of one label have one colour. */
  readonly label: string
  /** A second line, such as what is done there. */
  readonly detail?: string
}
