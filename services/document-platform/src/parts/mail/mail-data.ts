import type { Language } from '@chancela/service-kernel/i18n'

/** The languages a participant can choose, under the names of the API. */
export type NotificationLanguage = 'Pt' | 'En' | 'Es'

export const languageOf: Readonly<Record<NotificationLanguage, Language>> = { Pt: 'pt-BR', En: 'en-US', Es: 'es' }

/** A deadline in the organization's time zone. */
export interface Deadline {
  readonly at: Date
  readonly timeZone: string
}

type RequestedAction = 'sign' | 'approve'

interface AboutDocuments {
  /** The recipient's name; undefined where only an address is known. */
  readonly name?: string | undefined
  readonly organization: string
  /** Names, at least one. */
  readonly documents: readonly string[]
}

interface ActionRequest extends AboutDocuments {
  readonly action: RequestedAction
  /** Who asks. */
  readonly sender: string
  /** What the sender wrote for the participants. */
  readonly description?: string | undefined
  readonly deadline?: Deadline | undefined
  /** Contains the ticket, which lets its bearer act as the participant. */
  readonly actionUrl: string
  /** Hours until the link expires; its page then sends a new one. */
  readonly validHours: number
}

/** What each kind of mail tells. */
export interface MailData {
  /** A participant's turn has come. */
  readonly 'pending-action': ActionRequest
  /** The same, some time after the first mail. */
  readonly reminder: ActionRequest
  /** The code that lets a participant sign electronically. */
  readonly 'authentication-code': AboutDocuments & { readonly code: string; readonly validMinutes: number }
  readonly refused: AboutDocuments & {
    readonly refusedBy: string
    readonly reason: string
    readonly documentUrl?: string | undefined
  }
  readonly concluded: AboutDocuments & {
    /** Verification key and its page, for everybody. */
    readonly key: string
    readonly validationUrl: string
    /** Only in mails to people who may download the files. */
    readonly downloadUrl?: string | undefined
  }
  readonly canceled: AboutDocuments & { readonly canceledBy: string; readonly reason: string }
  readonly expired: AboutDocuments & { readonly deadline: Deadline; readonly documentUrl?: string | undefined }
  /** To somebody who was made a user of an organization. */
  readonly invitation: {
    readonly name?: string | undefined
    readonly organization: string
    readonly invitationUrl: string
    readonly validHours: number
  }
  /** To somebody who asked for a new password. */
  readonly 'password-reset': {
    readonly name?: string | undefined
    /** Contains the ticket, which lets its bearer choose the password. */
    readonly resetUrl: string
    readonly validMinutes: number
  }
  /** To administrators: an endpoint gets no more events. */
  readonly 'webhook-disabled': {
    readonly name?: string | undefined
    readonly organization: string
    readonly endpointUrl: string
    readonly reason: string
    readonly settingsUrl: string
  }
  /** Everything that waits for a person in one organization. */
  readonly 'pending-summary': {
    readonly name?: string | undefined
    readonly pending: readonly PendingItem[]
  }
}

interface PendingItem {
  readonly action: RequestedAction
  readonly document: string
  readonly organization: string
  readonly deadline?: Deadline | undefined
  readonly actionUrl: string
}

export type MailKind = keyof MailData
