import { oidcFields, oidcRules } from '@chancela/admin-console'
import { mailRules, mailSettings } from '@chancela/outbox/mail'
import { noticeRules, noticeSettings } from '@chancela/outbox/notices'
import { storageSettings } from '@chancela/service-kernel/blobs'
import {
  allowedPorts,
  auditChainSection,
  count,
  flag,
  ratePolicy,
  type SettingsRule,
  serviceSettings,
} from '@chancela/service-kernel/config'
import { cloudHubSettings, sessionServerSettings } from '@chancela/service-links'
import Type, { type Static } from 'typebox'
import { verificationStamps } from './contract/organizations.ts'
import { electronicTypes } from './contract/security-contexts.ts'

const Price = Type.Object({
  TransactionType: Type.String(),
  PricingType: Type.Enum(['NoCharge', 'Simple', 'Range']),
  Price: Type.Optional(Type.Number({ minimum: 0 })),
  Ranges: Type.Optional(
    Type.Array(Type.Object({ Limit: Type.Optional(Type.Integer({ minimum: 1 })), Price: Type.Number({ minimum: 0 }) })),
  ),
})

const SecurityContext = Type.Object({
  Id: Type.String({ format: 'uuid' }),
  Name: Type.String({ minLength: 1 }),
  EnglishName: Type.Optional(Type.String()),
  PortugueseName: Type.Optional(Type.String()),
  SpanishName: Type.Optional(Type.String()),
  AllowDigitalSignature: Type.Optional(Type.Boolean()),
  AllowedElectronicTypes: Type.Optional(Type.Array(Type.Enum([...electronicTypes]))),
})

/** The settings of the service; names as in the specification and the facts where they name them. */
export const documentPlatformSettings = serviceSettings(
  {
    Http: { Port: 8085, BodyLimitBytes: 1_048_576 },
    Database: { Url: 'sqlite:document-platform/db/document-platform.db' },
    Secrets: { MasterKeyFile: 'document-platform/keys/master.key' },
  },
  {
    Auth: Type.Object({
      CookieName: Type.String({
        default: 'chancela-documents',
        minLength: 1,
        description: 'Name of the cookie of a user who signed in.',
      }),
      SessionHours: count(
        { minimum: 1, maximum: 168, default: 8 },
        'How long, in hours, a session without calls lasts; every call extends it.',
      ),
      InvitationHours: count(
        { minimum: 1, maximum: 720, default: 168 },
        'How long, in hours, the link of an invitation lasts.',
      ),
      LockAfter: count(
        { minimum: 1, maximum: 100, default: 5 },
        'Wrong passwords and codes of one account after which no more are tried for a while.',
      ),
      LockMinutes: count(
        { minimum: 1, maximum: 1440, default: 15 },
        'Minutes a wrong password or code counts, and an account is locked.',
      ),
      ProofMinutes: count(
        { minimum: 1, maximum: 1440, default: 10 },
        'Minutes after a password and code, or a fresh sign-in at the identity provider, in which a user may change users, applications, keys, webhooks and the organization; later they are asked for again. Applications are not asked.',
      ),
      PasswordCost: count(
        { minimum: 10, maximum: 20, default: 15 },
        'Work to hash a password (scrypt, r = 8, p = 3), as a power of two: 15 takes 32 MB and a quarter of a second.',
      ),
    }),
    Oidc: Type.Object(oidcFields('users')),
    Documents: Type.Object({
      PublicValidationMaxBytes: count(
        { minimum: 0, maximum: 1_073_741_824, default: 26_214_400 },
        'Largest file that anybody may have judged on the public page, in bytes; 0 switches it off.',
      ),
      MaxUploadSizeInBytes: count(
        { minimum: 1, maximum: 1_073_741_824, default: 106_954_752 },
        'Largest file that may be uploaded, in bytes.',
      ),
      MaxFilesPerEnvelope: count({ minimum: 1, maximum: 1000, default: 20 }, 'Most files of an envelope.'),
      MaxSignersPerDocument: count({ minimum: 1, maximum: 1000, default: 30 }, 'Most participants of a document.'),
      MaxDocumentsPerRequest: count({ minimum: 1, maximum: 50_000, default: 1000 }, 'Most documents one call creates.'),
      MaxDocumentsPerGeneration: count(
        { minimum: 1, maximum: 50_000, default: 50_000 },
        'Most lines of a file from which documents are generated.',
      ),
      UploadLifeHours: count({ minimum: 1, maximum: 720, default: 24 }, 'Hours until an unused upload is swept.'),
      DeletedDocumentsLifeDays: count(
        { minimum: 0, maximum: 36_500, default: 30 },
        'Days until the bytes of a deleted document are swept.',
      ),
      FlowActionTicketValidityMinutes: count(
        { minimum: 1, maximum: 525_600, default: 1440 },
        'Life of the ticket in the address of an action, in minutes.',
      ),
      SignatureTokenValidityMinutes: count(
        { minimum: 1, maximum: 1440, default: 10 },
        'Minutes between the beginning and the completion of a signature.',
      ),
      SigningWaitSeconds: count(
        { minimum: 1, maximum: 300, default: 30 },
        'Seconds somebody who signs waits for others who sign the same document.',
      ),
      SigningReservationSeconds: count(
        { minimum: 0, maximum: 120, default: 15 },
        'Seconds a document is reserved for a signature with a certificate that was begun: others wait so long at most. 0: it is not.',
      ),
      VerificationStamp: Type.Enum([...verificationStamps], {
        default: 'FooterAndPage',
        description:
          'What a PDF gets before anybody signs it, so that its paper proves itself: verification code, QR and address at the foot of every page, a signature sheet behind the last one, or both. A file that comes with signatures gets nothing. An organization may choose otherwise for its own, and whoever creates a document for that one.',
      }),
      DefaultTimeZone: Type.String({
        default: 'America/Sao_Paulo',
        description: 'Time zone of an organization that names none; documents expire at the end of its day.',
      }),
      AllowFlowActionRefusalToNotRefuseDocument: flag(
        false,
        'Whether a document stays pending after a refusal while another action can still be completed.',
      ),
      EnableRefusedDocumentDownload: flag(false, 'Whether the original of a refused document can be downloaded.'),
      HideDocumentPaginationTotal: flag(true, 'Whether lists of more than 10,000 documents leave their total out.'),
      SecurityContexts: Type.Array(SecurityContext, {
        default: [],
        description:
          'What documents may be signed with, besides the built-in contexts: requests name one by its Id. EnglishName, PortugueseName and SpanishName default to Name.',
      }),
      FrameAncestors: Type.Array(Type.String(), {
        default: [],
        description: 'Origins whose pages may embed the page of an action. None: nobody may.',
      }),
    }),
    Signing: Type.Object({
      TrustAnchorsFile: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'PEM file with the trusted roots. Default: the official roots of ICP-Brasil.',
        }),
      ),
      AuthorityHosts: Type.Array(Type.String(), {
        default: [],
        description:
          'Host names and CIDR ranges of certificate authorities that may be asked although they are not public.',
      }),
      TimestampAuthority: Type.Optional(
        Type.String({ description: 'URL of the timestamp authority for documents with timestampEnabled.' }),
      ),
      ElectronicCertificateFile: Type.Optional(
        Type.String({
          description:
            'PKCS#12 that seals electronic signatures. Default: a certificate the instance makes for itself.',
        }),
      ),
      ElectronicCertificatePassword: Type.Optional(
        Type.String({ secret: true, description: 'Password of ElectronicCertificateFile.' }),
      ),
    }),
    Renditions: Type.Object({
      Workers: count(
        { minimum: 1, maximum: 16, default: 1 },
        'Threads that draw PDFs: printable versions, envelopes, filled forms. As many again read what was uploaded.',
      ),
      MaxQueued: count(
        { minimum: 1, maximum: 10_000, default: 256 },
        'PDFs that wait for a thread; with more the service says that it is busy.',
      ),
      MemoryMb: count(
        { minimum: 64, maximum: 16_384, default: 512 },
        'Memory, in megabytes, for the objects of a PDF. A file that needs more is refused.',
      ),
      Seconds: count(
        { minimum: 1, maximum: 600, default: 60 },
        'Longest time, in seconds, to read or draw a PDF. A file that takes longer is refused.',
      ),
      MaxPages: count(
        { minimum: 1, maximum: 100_000, default: 10_000 },
        'Most pages of a PDF that is drawn on; of an envelope, of all its files. A longer one can be signed as it is.',
      ),
      MaxInflatedBytes: count(
        { minimum: 1_048_576, maximum: 1_073_741_824, default: 268_435_456 },
        'Most bytes that the compressed objects of a PDF may have. A file with more is refused.',
      ),
      MaxInputBytes: count(
        { minimum: 1, maximum: 4_294_967_296, default: 536_870_912 },
        'Most bytes of all files that one PDF is made of.',
      ),
    }),
    CloudHub: cloudHubSettings,
    SessionServer: sessionServerSettings,
    Storage: storageSettings('document-platform/blobs'),
    Email: mailSettings,
    Notices: noticeSettings,
    Webhooks: Type.Object({
      MaxWebhooksPerOrganization: count({ minimum: 1, maximum: 100, default: 5 }, 'Most webhooks of an organization.'),
      MaxAttempts: count({ minimum: 1, maximum: 50, default: 10 }, 'Attempts of a delivery.'),
      TimeoutSeconds: count({ minimum: 1, maximum: 300, default: 20 }, 'Seconds a receiver has to answer.'),
      DisableOnGone: flag(
        false,
        'Whether a webhook whose receiver answers 410 is switched off, and its owner told. Otherwise the delivery is tried again like any other.',
      ),
      DisableAfterHours: count(
        { minimum: 0, maximum: 8760, default: 0 },
        'Hours in which every attempt failed, 20 at least, after which a webhook is switched off, and its owner told. 0: never.',
      ),
      AllowedHosts: Type.Array(Type.String(), {
        default: [],
        description: 'Host names and CIDR ranges that may be sent to although they are not public.',
      }),
      AllowHttp: flag(true, 'Whether plain http addresses may be registered; https is recommended.'),
      AllowedPorts: allowedPorts,
      RetentionDays: count({ minimum: 1, maximum: 3650, default: 30 }, 'Days the log of deliveries is kept.'),
      MaxLoggedDeliveries: count(
        { minimum: 1000, maximum: 1_000_000_000, default: 10_000_000 },
        'Most deliveries the log keeps, whatever their age.',
      ),
    }),
    AuditChain: auditChainSection,
    Audit: Type.Object({
      RetentionDays: count({ minimum: 30, maximum: 36_500, default: 1825 }, 'Days the entries of the audit are kept.'),
    }),
    Billing: Type.Object({
      Prices: Type.Array(Price, { default: [], description: 'What transactions cost. Without an entry: no charge.' }),
      CloseInvoices: flag(true, 'Whether each month is closed into invoices.'),
    }),
    Reminders: Type.Object({
      Enabled: flag(true, 'Whether participants of pending actions are reminded by e-mail.'),
      EveryDays: count({ minimum: 1, maximum: 365, default: 3 }, 'Days between reminders.'),
      MaxReminders: count({ minimum: 0, maximum: 100, default: 10 }, 'Most reminders of one participant.'),
    }),
    RateLimiting: Type.Object({
      SignIn: ratePolicy(20, 60, 'attempts to sign in'),
      KeyLookup: ratePolicy(10, 1, 'lookups by verification code'),
      AuthenticationCode: ratePolicy(
        60,
        60,
        'requests for an authentication code or a new link; each participant gets one a minute',
      ),
      Validation: ratePolicy(20, 60, 'files that anybody has judged'),
      CloudSigning: ratePolicy(30, 60, 'signatures with a cloud certificate begun, and returns from the hub'),
      TokenSigning: ratePolicy(30, 60, 'signatures with a token and tests of a computer begun'),
    }),
  },
)

export type DocumentPlatformSettings = Static<typeof documentPlatformSettings>

/** Rules that span several settings. */
export const documentPlatformRules: readonly SettingsRule<DocumentPlatformSettings>[] = [
  ...mailRules,
  ...noticeRules,
  ...oidcRules,
  ({ Documents: { SecurityContexts } }) =>
    new Set(SecurityContexts.map(({ Id }) => Id.toLowerCase())).size < SecurityContexts.length
      ? [{ key: 'Documents:SecurityContexts', sentence: 'names an Id twice.' }]
      : [],
]
