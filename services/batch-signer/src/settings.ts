import { isIssuer, providerLimits } from '@chancela/admin-console'
import { mailRules, mailSettings } from '@chancela/outbox/mail'
import { noticeSettings, noticeWebhookRules } from '@chancela/outbox/notices'
import {
  allowedPorts,
  auditChainSection,
  count,
  duration,
  flag,
  httpSection,
  isBaseUrl,
  isEmailAddress,
  type RuleBreach,
  readDuration,
  type SettingsRule,
  serviceSettings,
} from '@chancela/service-kernel/config'
import { type AddressPolicy, addressPolicy } from '@chancela/service-kernel/http-client'
import { cloudHubSettings, sessionServerSettings } from '@chancela/service-links'
import Type, { type Static, type TSchema } from 'typebox'
import { webhookEventTypes } from './contract/webhook-events.ts'
import { approverMailKinds } from './rules/approver-notice.ts'

/** Names of folders and profiles: they are part of URLs, metrics and file names. */
export const SLUG = '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$'

/** Not a setting: nobody but the browser reads it. */
export const APPROVER_COOKIE = 'chancela-approver'

const Slug = Type.String({ pattern: SLUG, accepts: 'lower-case letters, digits and inner hyphens, at most 40' })

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)

/** A watched folder of Storage:Inputs; those added on the dashboard are stored in the same form. */
export const InputFolder = Type.Object({
  Name: Slug,
  Path: Type.String({ minLength: 1 }),
  PollIntervalSeconds: optional(Type.Integer({ minimum: 5, maximum: 3600 })),
  IgnoredExtensions: optional(Type.Array(Type.String())),
  IgnoredPrefixes: optional(Type.Array(Type.String())),
  ReadyMarker: optional(Type.String({ pattern: '^[.][^/]{1,32}$', accepts: 'a suffix that begins with a dot' })),
  OutputPath: optional(Type.String({ minLength: 1 })),
  OutputMode: optional(Type.String({ pattern: '^0?[0-7]{3}$', accepts: 'octal digits such as 0640' })),
  OutputOwner: optional(Type.String({ minLength: 1 })),
  OutputGroup: optional(Type.String({ minLength: 1 })),
})

export type InputFolderEntry = Static<typeof InputFolder>

const VisibleSeed = Type.Object({
  Page: optional(Type.Union([Type.Enum(['first', 'last']), Type.Integer({ minimum: 1, maximum: 100_000 })])),
  Corner: optional(Type.Enum(['bottom-left', 'bottom-right', 'top-left', 'top-right'])),
  X: optional(Type.Number({ minimum: 0, maximum: 14_400 })),
  Y: optional(Type.Number({ minimum: 0, maximum: 14_400 })),
  Width: optional(Type.Number({ minimum: 0, maximum: 14_400 })),
  Height: optional(Type.Number({ minimum: 0, maximum: 14_400 })),
  Lines: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 12 })),
  ImageFile: optional(Type.String()),
  Border: optional(Type.Boolean()),
})

const Duration = Type.Refine(
  Type.String({ accepts: 'd.hh:mm:ss such as 2.12:00:00 (hours below 24), or ISO 8601 such as P2DT12H' }),
  (text) => readDuration(text) !== undefined,
  () => 'must be a duration',
)

const ApprovalSeed = Type.Object({
  MinimumApprovers: Type.Integer(),
  ExpiresAfter: optional(Duration),
  Signers: optional(Type.Enum(['ProfileKey', 'Approvers', 'ProfileKeyAndApprovers'])),
  // Shown to nobody who only reads the settings: it is a person's.
  Approvers: Type.Array(Type.Object({ Name: Type.String(), Email: Type.String(), Cpf: Type.String({ secret: true }) })),
})

const ProfileSeed = Type.Object({
  Name: Slug,
  InputFolder: optional(Slug),
  Format: optional(Type.Enum(['Pades', 'Cades', 'Xades'])),
  Level: optional(Type.String()),
  Verify: optional(Type.Boolean()),
  ValidateCertificate: optional(Type.Boolean()),
  PreserveFileExtension: optional(Type.Boolean()),
  SaveAsPem: optional(Type.Boolean()),
  CheckCnab240: optional(Type.Boolean()),
  CheckCnab240PaymentDates: optional(Type.Boolean()),
  EncryptionCertificateFiles: optional(Type.Array(Type.String())),
  TimestampAuthority: optional(Type.String()),
  Visible: optional(VisibleSeed),
  SignatureReason: optional(Type.String()),
  SignatureLocation: optional(Type.String()),
  Approval: optional(ApprovalSeed),
  Pkcs12File: optional(Type.String()),
  Pkcs12Password: optional(Type.String({ secret: true })),
  Pkcs11Module: optional(Type.String()),
  Pkcs11Thumbprint: optional(Type.String()),
  Pkcs11Pin: optional(Type.String({ secret: true })),
})

/** Where given, operators sign in here and no longer with the key; half of it stops the start. */
const IdentityProvider = Type.Object({
  Issuer: Type.String({ minLength: 1, description: 'Issuer URL of the identity provider.' }),
  ClientId: Type.String({ minLength: 1, description: 'Id of this service at the provider.' }),
  ClientSecret: Type.String({ secret: true, minLength: 1, description: 'Secret of this service at the provider.' }),
  RolesClaim: Type.String({
    default: 'roles',
    minLength: 1,
    description:
      'Claim with the roles Administrator and Approver; a path such as realm_access.roles where they are nested.',
  }),
  Scopes: Type.Array(Type.String({ minLength: 1 }), {
    default: ['openid', 'email', 'profile'],
    description: 'Scopes that are asked for, openid among them; some providers tell roles only for one of their own.',
  }),
  ...providerLimits,
})

const Address = Type.Refine(
  Type.String({ accepts: 'an e-mail address without a name' }),
  isEmailAddress,
  () => 'must be an e-mail address',
)

/** The forms of a secret that receivers' libraries take. */
const isSigningSecret = (text: string): boolean => {
  const bytes = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)
  const length = bytes ? Buffer.from(bytes[1]!, 'base64').length : 0
  return length >= 24 && length <= 64
}

const WebhookEndpoint = Type.Object({
  Name: Slug,
  Url: Type.String({ minLength: 1 }),
  Secret: Type.Refine(
    Type.String({ secret: true, accepts: 'whsec_ and the base64 of 24 to 64 bytes' }),
    isSigningSecret,
    () => 'must be whsec_ and the base64 of 24 to 64 bytes',
  ),
  Events: Type.Array(Type.Enum([...webhookEventTypes]), { minItems: 1 }),
  AuthType: optional(Type.Enum(['NoAuth', 'Basic', 'Bearer', 'ApiKey'])),
  Token: optional(Type.String({ secret: true, minLength: 1 })),
})

/** Mails to approvers. */
const ApproverMails = Type.Object({
  Kinds: Type.Array(Type.Enum([...approverMailKinds]), {
    default: [],
    description:
      'What approvers are told by mail: Waiting (files wait for their decision), Reminder (some soon end), Expired, Rejected, Digest (once a day, what waits). Without any, nothing is sent. Needs Email:Enabled, Http:PublicUrl, and ApproverPortal:Enabled or Auth:Idp.',
  }),
  Language: Type.Enum(['pt-BR', 'en-US'], { default: 'pt-BR', description: 'Language of these mails.' }),
  Languages: Type.Array(Type.Object({ Email: Address, Language: Type.Enum(['pt-BR', 'en-US']) }), {
    default: [],
    maxItems: 1000,
    description: 'Approvers who get their mails in another language: Email and Language of each.',
  }),
  GatherSeconds: count(
    { minimum: 0, maximum: 3600, default: 60 },
    'Seconds without a further file after which a mail tells of those that came; at the latest after ten times as many.',
  ),
  PauseMinutes: count(
    { minimum: 0, maximum: 1440, default: 15 },
    'Minutes between two mails of one kind to one person at least.',
  ),
  ReminderBefore: duration(
    { minimum: '00:01:00', maximum: '365.00:00:00', default: '04:00:00' },
    'How long before the end of a wait people are reminded; half the wait, where that is less.',
  ),
  DigestHour: count(
    { minimum: 0, maximum: 23, default: 8 },
    'Hour of the day, at the site, at which the digest is sent.',
  ),
  Details: flag(
    false,
    'Whether these mails name files and profiles, and of a rejection who rejected and why; otherwise they say how many files, and until when.',
  ),
  Amounts: flag(false, 'Whether they also tell the totals of remittances; needs Details.'),
})

/** Approvers come back from their provider to `/approvals/cloud/return` of this service. */
const CloudHub = Type.Object({
  ...cloudHubSettings.properties,
  ApiKey: Type.String({
    secret: true,
    default: '',
    description:
      'Key of an application there, with `<CloudHub:PublicBaseUrl>/approvals/cloud/return` among its redirect URIs. Without one no approver is offered to sign with a cloud certificate.',
  }),
  PublicBaseUrl: optional(
    Type.Refine(
      Type.String({
        accepts: 'an absolute http or https URL without query and fragment',
        description:
          'Base URL under which browsers of approvers reach this service; needed with CloudHub:ApiKey. It is never taken from a request.',
      }),
      isBaseUrl,
      () => 'must be a base URL',
    ),
  ),
})

const policy = (name: string, permits: number, what: string) =>
  Type.Object({
    PermitsPerWindow: count(
      { minimum: 1, maximum: 1_000_000, default: permits },
      `Calls under the policy ${name} one address may make in a window: ${what}.`,
    ),
    WindowSeconds: count({ minimum: 1, maximum: 86_400, default: 60 }, `Length of a window of ${name}, in seconds.`),
  })

/** The settings of the service; names and defaults as in the specification where it names them. */
export const batchSignerSettings = serviceSettings(
  {
    Http: { Port: 8084 },
    Database: { Url: 'sqlite:batch-signer/db/batch-signer.db' },
    Secrets: { MasterKeyFile: 'batch-signer/keys/master.key' },
  },
  {
    AuditChain: auditChainSection,
    Compact: httpSection({ Port: 8080 }),
    Auth: Type.Object({
      ApiKey: Type.String({
        secret: true,
        default: '',
        accepts: 'at least 16 characters',
        description: 'The key of operators and programs. While it is empty, every protected call answers 401.',
      }),
      ApiKeyHeader: Type.String({
        default: 'X-API-Key',
        minLength: 1,
        description: 'Name of the header that carries the key.',
      }),
      CookieName: Type.String({
        default: 'chancela-batch',
        minLength: 1,
        description: 'Name of the cookie of an operator who signed in.',
      }),
      SessionHours: count(
        { minimum: 1, maximum: 168, default: 8 },
        'How long, in hours, a session without calls lasts; every call extends it.',
      ),
      LockAfter: count(
        { minimum: 1, maximum: 100, default: 20 },
        'Wrong keys at the sign-in from one network after which no more are tried for a while.',
      ),
      LockMinutes: count(
        { minimum: 1, maximum: 1440, default: 15 },
        'Minutes a wrong key counts, and the sign-in stays closed.',
      ),
      Idp: optional(IdentityProvider),
    }),
    Storage: Type.Object({
      Root: Type.String({
        default: 'batch-signer',
        minLength: 1,
        description: 'Folder that holds input/, uploads/, processing/, output/ and error/.',
      }),
      Inputs: Type.Array(InputFolder, {
        default: [],
        maxItems: 16,
        description:
          'Watched folders: Name, Path, and optionally PollIntervalSeconds (turns polling on), IgnoredExtensions, IgnoredPrefixes, ReadyMarker (a suffix such as .ok: a file is taken once a file of its name with this suffix lies beside it), OutputPath (a folder for its outputs instead of output/ under Root), OutputMode (octal, such as 0640), OutputOwner and OutputGroup (names or numbers) of its outputs. Without any, one folder named default at input/ under Root.',
      }),
    }),
    WatchedFolder: Type.Object({
      StabilityPollIntervalMs: count(
        { minimum: 50, maximum: 10_000, default: 500 },
        'Milliseconds between two looks at a file that has just appeared.',
      ),
      StabilityRequiredSamples: count(
        { minimum: 1, maximum: 100, default: 3 },
        'Looks in a row that must find the file unchanged before it is taken.',
      ),
      StabilityConcurrency: count({ minimum: 1, maximum: 64, default: 8 }, 'Files looked at side by side per folder.'),
      StabilityTimeoutSeconds: count(
        { minimum: 1, maximum: 3600, default: 60 },
        'Seconds after which a file that keeps changing is given up until it is seen again.',
      ),
      PollIntervalSeconds: count(
        { minimum: 5, maximum: 3600, default: 30 },
        'Seconds between two enumerations of a folder, which catch what the events of the system missed.',
      ),
      TakeExisting: flag(
        false,
        'Whether files that already lie in a folder are taken when the database first meets the folder. Otherwise they are held until an operator releases them; so are, in any case, those of a folder that a newer or another database knows.',
      ),
      IgnoredExtensions: Type.Array(Type.String(), {
        default: ['.tmp', '.part', '.crdownload', '.swp'],
        description: 'Extensions of files that are left alone.',
      }),
      IgnoredPrefixes: Type.Array(Type.String(), {
        default: ['.', '~$'],
        description: 'Beginnings of names of files that are left alone.',
      }),
    }),
    Pipeline: Type.Object({
      MaxConcurrency: count({ minimum: 1, maximum: 256, default: 128 }, 'Jobs in flight at the same time.'),
      MaxQueued: count(
        { minimum: 100, maximum: 1_000_000, default: 20_000 },
        'Queued jobs of a profile beyond which its files wait in their folder; uploads are never held back.',
      ),
      PollIntervalSeconds: count(
        { minimum: 1, maximum: 3600, default: 2 },
        'Seconds between two looks at the queue; new work is signalled at once, this catches other instances.',
      ),
      RejectAlreadyProcessedFileNames: flag(true, 'Whether a file name is signed once.'),
      InMemoryBytes: count(
        { minimum: 65_536, maximum: 268_435_456, default: 4_194_304 },
        'Largest file, in bytes, that is held in memory while it is signed; larger ones are staged on disk.',
      ),
      MaxDocumentBytes: count(
        { minimum: 1_048_576, maximum: 2_147_483_647, default: 268_435_456 },
        'Largest PDF or XML, in bytes; these formats are signed in memory. CAdES has no limit.',
      ),
    }),
    Upload: Type.Object({
      Enabled: flag(true, 'Whether files can be uploaded.'),
      MaxBytes: Type.Integer({ minimum: 1024, default: 104_857_600, description: 'Largest upload, in bytes.' }),
    }),
    FileValidation: Type.Object({
      MaxFileSizeMb: count(
        { minimum: 1, maximum: 4096, default: 100 },
        'Largest upload over the compact variant, in MiB.',
      ),
      AllowedExtensions: Type.Array(Type.String(), {
        default: ['.pdf', '.xml', '.txt', '.csv', '.zip', '.rem'],
        description: 'Extensions the compact variant accepts; an empty list accepts all.',
      }),
    }),
    Signing: Type.Object({
      Profiles: Type.Array(ProfileSeed, {
        default: [],
        description: 'Signing profiles for a store that has none yet; afterwards profiles are edited on the dashboard.',
      }),
      TrustAnchorsFile: Type.Optional(
        Type.String({
          description:
            'PEM file with the roots that certificates must lead to; the official ICP-Brasil ones when not set.',
        }),
      ),
      TimestampAuthority: Type.Optional(
        Type.String({ description: 'URL of the timestamp authority for profiles that name none.' }),
      ),
      AuthorityHosts: Type.Array(Type.String(), {
        default: [],
        description:
          'Host names and CIDR ranges of certificate authorities that may be asked about certificates of approvers although they are not public.',
      }),
    }),
    ApproverPortal: Type.Object({
      Enabled: flag(false, 'Whether approvers come in by links of their own and decide in the portal.'),
      LinkSecret: Type.String({
        secret: true,
        default: '',
        accepts: 'at least 32 characters',
        description:
          'What the links of approvers are derived from; needed once the portal is enabled. Another value ends every link and every session.',
      }),
      DecidedLookback: duration(
        { minimum: '1.00:00:00', maximum: '3650.00:00:00', default: '90.00:00:00' },
        'How far back the portal lists what an approver decided.',
      ),
      SessionLifetime: duration(
        { minimum: '00:01:00', maximum: '365.00:00:00', default: '30.00:00:00' },
        'How long the session of an approver lasts without calls; every call extends it, up to a year in all.',
      ),
      PollInterval: duration(
        { minimum: '00:00:01', maximum: '00:05:00', default: '00:00:10' },
        'How often the pages of the portal look for news.',
      ),
    }),
    ApproverSecondFactor: Type.Object({
      Enabled: flag(
        false,
        'Whether an approver gives a code of an authenticator app before deciding. Decisions over POST /api/approvals/{id} are then withdrawn.',
      ),
      SeedSecret: Type.String({
        secret: true,
        default: '',
        accepts: 'at least 32 characters',
        description:
          'What the keys of authenticator apps are sealed with; needed once the second factor is enabled. After a change of it every approver enrols anew.',
      }),
      VerificationWindow: duration(
        { minimum: '00:00:00', maximum: '08:00:00', default: '00:20:00' },
        'How long a code is good for in the browser it was given in, counted from then on; 00:00:00 asks for one every time.',
      ),
      Issuer: Type.String({
        default: 'Chancela',
        pattern: '^[^:\\s][^:]{0,63}$',
        accepts: 'at most 64 characters, no colon',
        description: 'The name authenticator apps show beside the code.',
      }),
    }),
    CloudHub,
    SessionServer: sessionServerSettings,
    Encryption: Type.Object({
      CertificateFiles: Type.Array(Type.String(), {
        default: [],
        description: 'PEM certificates to encrypt to where a caller asks for encryption and the profile names none.',
      }),
    }),
    Site: Type.Object({
      TimeZone: Type.String({
        default: 'America/Sao_Paulo',
        accepts: 'a name of the time zone database',
        description: 'Where days begin and end: in filters, statistics and charts.',
      }),
    }),
    Cnab240: Type.Object({
      TimeZone: Type.Optional(
        Type.String({
          accepts: 'a name of the time zone database',
          description: 'Where "today" is when the earliest payment date is checked; Site:TimeZone when not set.',
        }),
      ),
      Banks: Type.Array(Type.String({ pattern: '^[0-9]{3}$', accepts: 'three digits' }), {
        default: [],
        description: 'Codes of the banks whose remittances are accepted; an empty list accepts every bank.',
      }),
      BankRules: Type.Enum(['Off', 'Warn', 'Refuse'], {
        default: 'Warn',
        description:
          'What rules of single banks do (clearing chamber, form of entry, payees of several banks in one batch): Warn tells them in the history, Refuse fails the file.',
      }),
    }),
    Retention: Type.Object({
      Enabled: flag(true, 'Whether old jobs, their files and events are removed by themselves.'),
      RetentionDays: count({ minimum: 1, maximum: 36_500, default: 30 }, 'Days an ended job is kept.'),
      CleanupIntervalHours: count({ minimum: 1, maximum: 8760, default: 24 }, 'Hours between two cleanups.'),
    }),
    Backup: Type.Object({
      Enabled: flag(false, 'Whether the embedded store can be backed up by the service.'),
      IntervalHours: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 8760,
          description: 'Hours from one successful backup to the next; by hand only when not set.',
        }),
      ),
      RetainCount: count({ minimum: 0, maximum: 1000, default: 14 }, 'Backups kept; 0 keeps all.'),
      Path: Type.Optional(
        Type.String({ minLength: 1, description: 'Folder for backups; needed once they are enabled.' }),
      ),
    }),
    Cluster: Type.Object({
      Enabled: flag(
        false,
        'Whether several processes may work on one database and the same folders; without it a second one is refused at start.',
      ),
      HeartbeatSeconds: count(
        { minimum: 1, maximum: 600, default: 15 },
        'Seconds between two signs of life of a process.',
      ),
      StaleAfterSeconds: count(
        { minimum: 2, maximum: 3600, default: 60 },
        'Seconds without a sign of life after which the jobs of a process are taken over.',
      ),
    }),
    RateLimiting: Type.Object({
      Upload: policy('Upload', 30, 'POST /api/files'),
      Actions: policy('Actions', 60, 'what changes jobs and the pipeline'),
      Approval: policy('Approval', 10, 'decisions of approvers'),
      Portal: policy('Portal', 120, 'what approvers change in the portal'),
      Export: policy('Export', 10, 'spreadsheets'),
      SignerNotification: policy('SignerNotification', 600, 'notifications of the external signature service'),
      Login: policy('Login', 20, 'attempts to sign in'),
      Compact: policy('Compact', 60, 'every call of the compact variant but its probes'),
      CompactProbe: policy('CompactProbe', 600, 'health and readiness of the compact variant, counted apart'),
    }),
    Readiness: Type.Object({ RequireApiKey: flag(false, 'Whether the readiness verdict takes the key.') }),
    Swagger: Type.Object({
      EnabledInProduction: flag(false, 'Whether /scalar/v1 is served in production, too; in development it always is.'),
    }),
    Notices: Type.Object({
      Recipients: Type.Array(Address, {
        default: [],
        maxItems: 50,
        description:
          'Addresses that are told of profiles and folders that stay held, of certificates that expire soon and of other red checks of readiness.',
      }),
      Language: Type.Enum(['pt-BR', 'en-US'], { default: 'pt-BR', description: 'Language of these mails.' }),
      WebhookUrl: noticeSettings.properties.WebhookUrl,
      WebhookSecret: noticeSettings.properties.WebhookSecret,
      HeldMinutes: count(
        { minimum: 0, maximum: 1440, default: 2 },
        'Minutes a profile or a folder is held before a mail says so; the event log, readiness and metrics say it at once.',
      ),
      CertificateExpiryDays: Type.Array(Type.Integer({ minimum: 1, maximum: 365 }), {
        default: [30, 15, 7, 1],
        maxItems: 20,
        description:
          'How many days before the end of a certificate notices are given: an event, a mail, and a band on the dashboard.',
      }),
    }),
    Notifications: Type.Object({ Approvals: ApproverMails }),
    Webhooks: Type.Object({
      Endpoints: Type.Array(WebhookEndpoint, {
        default: [],
        maxItems: 20,
        description:
          'Who is told of jobs and approvals: Name, Url, Secret (whsec_ and the base64 of 24 to 64 bytes, which signs), Events (a list of the events of the README of the batch signer), and optionally AuthType (Basic, Bearer or ApiKey) with Token, for the header the receiver asks for. Without any, nothing is sent.',
      }),
      MaxAttempts: count({ minimum: 1, maximum: 50, default: 10 }, 'Attempts of a delivery.'),
      TimeoutSeconds: count({ minimum: 1, maximum: 300, default: 20 }, 'Seconds a receiver has to answer.'),
      AllowedHosts: Type.Array(Type.String(), {
        default: [],
        description: 'Host names and CIDR ranges that may be sent to although they are not public.',
      }),
      AllowHttp: flag(false, 'Whether plain http addresses are taken; those of AllowedHosts always are.'),
      AllowedPorts: allowedPorts,
      RetentionDays: count({ minimum: 1, maximum: 3650, default: 30 }, 'Days the log of deliveries is kept.'),
      MaxLoggedDeliveries: count(
        { minimum: 1000, maximum: 1_000_000_000, default: 10_000_000 },
        'Most deliveries the log keeps, whatever their age.',
      ),
    }),
    Email: mailSettings,
    Branding: Type.Object({
      CustomerLogo: Type.Optional(
        Type.String({ description: 'File with the logo of the house: png, jpg, webp or svg, at most 256 KiB.' }),
      ),
    }),
  },
)

export type BatchSignerSettings = Static<typeof batchSignerSettings>

/** Rules that span several settings. */
export const batchSignerRules: readonly SettingsRule<BatchSignerSettings>[] = [
  ...mailRules,
  ...noticeWebhookRules,
  ({ Auth: { ApiKey } }) =>
    ApiKey !== '' && ApiKey.length < 16 ? [{ key: 'Auth:ApiKey', sentence: 'must have at least 16 characters.' }] : [],
  ({ Auth: { CookieName } }) =>
    CookieName === APPROVER_COOKIE
      ? [{ key: 'Auth:CookieName', sentence: 'is the name of the cookie of approvers.' }]
      : [],
  ({ ApproverPortal: { Enabled, LinkSecret } }) => secretBreaches('ApproverPortal', Enabled, { LinkSecret }),
  ({ ApproverSecondFactor: { Enabled, SeedSecret } }) =>
    secretBreaches('ApproverSecondFactor', Enabled, { SeedSecret }),
  ({ ApproverSecondFactor, ApproverPortal, Auth: { Idp } }) =>
    ApproverSecondFactor.Enabled && !ApproverPortal.Enabled && !Idp
      ? [
          {
            key: 'ApproverSecondFactor:Enabled',
            sentence: 'needs ApproverPortal:Enabled or Auth:Idp: codes are asked for in the portal.',
          },
        ]
      : [],
  ({ CloudHub: { ApiKey, PublicBaseUrl } }) =>
    ApiKey !== '' && PublicBaseUrl === undefined
      ? [{ key: 'CloudHub:PublicBaseUrl', sentence: 'must be given with CloudHub:ApiKey: approvers come back there.' }]
      : [],
  ({ Auth: { Idp } }) =>
    Idp && !isIssuer(Idp.Issuer)
      ? [{ key: 'Auth:Idp:Issuer', sentence: 'must be an https URL; http is for a provider on this machine.' }]
      : [],
  ({ Auth: { Idp } }) =>
    Idp && !Idp.Scopes.includes('openid') ? [{ key: 'Auth:Idp:Scopes', sentence: 'must have openid among them.' }] : [],
  (settings) => approverMailBreaches(settings),
  ({ Webhooks }) => webhookBreaches(Webhooks),
  ({ Backup: { Enabled, Path } }) =>
    Enabled && Path === undefined ? [{ key: 'Backup:Path', sentence: 'must be given while backups are enabled.' }] : [],
  ({ Backup: { Enabled }, Database: { Url } }) =>
    Enabled && !Url.startsWith('sqlite:')
      ? [{ key: 'Backup:Enabled', sentence: 'is for the embedded store only; back PostgreSQL up with its own tools.' }]
      : [],
  ({ Cluster: { HeartbeatSeconds, StaleAfterSeconds } }) =>
    StaleAfterSeconds <= HeartbeatSeconds
      ? [{ key: 'Cluster:StaleAfterSeconds', sentence: 'must be greater than Cluster:HeartbeatSeconds.' }]
      : [],
  ({ Storage: { Inputs } }) =>
    duplicates(Inputs.map(({ Name }) => Name)).map((name) => ({
      key: 'Storage:Inputs',
      sentence: `names the folder ${name} twice.`,
    })),
  ({ Site, Cnab240 }) =>
    Object.entries({ 'Site:TimeZone': Site.TimeZone, 'Cnab240:TimeZone': Cnab240.TimeZone })
      .filter(([, zone]) => zone !== undefined && !isTimeZone(zone))
      .map(([key, zone]) => ({ key, sentence: `does not know the time zone ${zone}.` })),
]

/** The secret of a part is long, and there once the part is enabled. */
const secretBreaches = (section: string, isEnabled: boolean, secret: Readonly<Record<string, string>>): RuleBreach[] =>
  Object.entries(secret)
    .filter(([, value]) => (isEnabled || value !== '') && value.length < 32)
    .map(([name]) => ({ key: `${section}:${name}`, sentence: 'must have at least 32 characters.' }))

/** Where webhooks may be sent to. */
export const webhookPolicy = ({
  AllowedHosts,
  AllowHttp,
  AllowedPorts,
}: Pick<BatchSignerSettings['Webhooks'], 'AllowedHosts' | 'AllowHttp' | 'AllowedPorts'>): AddressPolicy =>
  addressPolicy({ allowed: AllowedHosts, allowedPorts: AllowedPorts, ...(AllowHttp && { allowHttp: true }) })

/** What may stand in a header value. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Endpoints that could not be sent to; by the policy that is asked at each attempt again. */
function webhookBreaches(settings: BatchSignerSettings['Webhooks']): RuleBreach[] {
  const { Endpoints } = settings
  const policy = webhookPolicy(settings)
  const problems = Endpoints.flatMap(({ Name, Url, AuthType = 'NoAuth', Token }) => [
    policy.refusesUrl(Url) !== undefined && `${Name}: ${policy.refusesUrl(Url)}`,
    (AuthType === 'NoAuth') !== (Token === undefined) && `${Name}: AuthType and Token are given together.`,
    Token !== undefined && !HEADER_TEXT.test(Token) && `${Name}: Token cannot stand in a header.`,
  ])
  return [
    ...problems.filter((sentence) => sentence !== false),
    ...duplicates(Endpoints.map(({ Name }) => Name)).map((name) => `names ${name} twice.`),
  ].map((sentence) => ({ key: 'Webhooks:Endpoints', sentence }))
}

/** What mails to approvers need. */
function approverMailBreaches({
  Notifications: { Approvals },
  Email,
  Http,
  ApproverPortal,
  Auth,
}: BatchSignerSettings): RuleBreach[] {
  const section = 'Notifications:Approvals'
  const needs = [
    [Email.Enabled, 'needs Email:Enabled.'],
    [Http.PublicUrl !== undefined, 'needs Http:PublicUrl: mails link to the portal.'],
    [ApproverPortal.Enabled || Auth.Idp !== undefined, 'needs ApproverPortal:Enabled or Auth:Idp.'],
  ] as const
  const unmet = Approvals.Kinds.length === 0 ? [] : needs.filter(([isMet]) => !isMet)
  return [
    ...unmet.map(([, sentence]) => ({ key: `${section}:Kinds`, sentence })),
    ...(Approvals.Amounts && !Approvals.Details
      ? [{ key: `${section}:Amounts`, sentence: `needs ${section}:Details.` }]
      : []),
  ]
}

const duplicates = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
]

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    // Intl throws RangeError for an unknown zone.
    return false
  }
}
