import { consoleRules, consoleSections, signInPolicy } from '@chancela/admin-console'
import { mailRules, mailSettings } from '@chancela/outbox/mail'
import { noticeRules, noticeSettings } from '@chancela/outbox/notices'
import { storageSettings } from '@chancela/service-kernel/blobs'
import {
  allowedPorts,
  auditChainSection,
  count,
  flag,
  httpSection,
  ratePolicy,
  type SettingsRule,
  serviceSettings,
} from '@chancela/service-kernel/config'
import { cloudHubSettings, sessionServerSettings } from '@chancela/service-links'
import Type, { type Static } from 'typebox'
import { bioSettings } from './bio-settings.ts'

/** The settings of the service. */
export const pkiCoreSettings = serviceSettings(
  {
    Http: { Port: 8083, BodyLimitBytes: 1_048_576, MaxRunning: 256 },
    Database: { Url: 'sqlite:pki-core/db/pki-core.db' },
    Secrets: { MasterKeyFile: 'pki-core/keys/master.key' },
  },
  {
    AuditChain: auditChainSection,
    Console: httpSection({ Port: 8093, BodyLimitBytes: 1_048_576 }),
    Authentication: Type.Object({
      ValidMinutes: count(
        { minimum: 1, maximum: 1440, default: 15 },
        'Minutes between the beginning and the completion of an authentication.',
      ),
    }),
    SecurityContexts: Type.Object({
      PkiBrazilAnchorsFile: Type.Optional(
        Type.String({
          description:
            'PEM file with the roots of the built-in context PKI Brazil. Default: the official roots of ICP-Brasil.',
        }),
      ),
      TestAnchorsFile: Type.Optional(
        Type.String({
          description:
            'PEM file with the roots of the built-in context for tests; without it that context does not exist. Never in production.',
        }),
      ),
      AuthorityHosts: Type.Array(Type.String(), {
        default: [],
        description: 'Host names and CIDR ranges of authorities that may be asked although they are not public.',
      }),
    }),
    Storage: storageSettings('pki-core/blobs'),
    Signatures: Type.Object({
      ValidMinutes: count(
        { minimum: 1, maximum: 1440, default: 60 },
        'Minutes between the preparation and the completion of a signature.',
      ),
      TimestampAuthority: Type.Optional(
        Type.String({
          description: 'URL of the timestamp authority: for archive signatures, levels with a timestamp, and `/tsp`.',
        }),
      ),
      PkiBrazilPolicy: Type.Enum(['AD-RB', 'Basic'], {
        default: 'AD-RB',
        description:
          'Signatures in the security context PKI Brazil: under the policy AD-RB of ICP-Brasil, or basic ones as in all other contexts.',
      }),
    }),
    Sessions: Type.Object({
      ValidHours: count(
        { minimum: 1, maximum: 720, default: 4 },
        'Hours in which a person may sign in a signature session; its token is valid as long.',
      ),
      WaitSeconds: count({ minimum: 1, maximum: 120, default: 15 }, 'Seconds an application waits for the end of one.'),
      RetentionDays: count({ minimum: 1, maximum: 3650, default: 30 }, 'Days ended sessions are kept.'),
    }),
    CloudHub: cloudHubSettings,
    SessionServer: sessionServerSettings,
    Email: mailSettings,
    Notices: noticeSettings,
    Webhooks: Type.Object({
      MaxAttempts: count({ minimum: 1, maximum: 50, default: 10 }, 'Attempts of a delivery.'),
      TimeoutSeconds: count({ minimum: 1, maximum: 300, default: 20 }, 'Seconds a receiver has to answer.'),
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
    Files: Type.Object({
      MaxFileBytes: count({ minimum: 1024, maximum: 2_000_000_000, default: 104_857_600 }, 'Largest file, in bytes.'),
      PartBytes: count(
        { minimum: 65_536, maximum: 104_857_600, default: 5_242_880 },
        'Bytes of the parts that clients are asked to upload.',
      ),
      UploadLifeHours: count({ minimum: 1, maximum: 720, default: 24 }, 'Hours until an upload is deleted.'),
      LinkMinutes: count(
        { minimum: 1, maximum: 10_080, default: 240 },
        'Minutes for which a link to a file works without a key.',
      ),
      DownloadSeconds: count(
        { minimum: 1, maximum: 600, default: 60 },
        'Seconds for the download of a file by its address.',
      ),
      DownloadHosts: Type.Array(Type.String(), {
        default: [],
        description: 'Host names and CIDR ranges that files may be downloaded from although they are not public.',
      }),
    }),
    Activity: Type.Object({
      AuthenticationDays: count(
        { minimum: 1, maximum: 36_500, default: 90 },
        'Days the admin page shows who authenticated.',
      ),
      CertificateDays: count(
        { minimum: 2, maximum: 36_500, default: 365 },
        'Days after which a certificate that nobody used any more is no longer shown to the subscription that met it.',
      ),
      ProblemDays: count(
        { minimum: 1, maximum: 3650, default: 30 },
        'Days the admin page finds a failed call by its exceptionCode.',
      ),
    }),
    Biometrics: bioSettings,
    ...consoleSections({ cookieName: 'chancela-core' }),
    RateLimiting: Type.Object({
      SignIn: signInPolicy,
      Verification: ratePolicy(60, 60, 'verification of documents by their keys'),
      Downloads: ratePolicy(1200, 60, 'downloads by link, without a key'),
      BioPages: ratePolicy(6000, 60, 'what capture pages send, some ten frames a second'),
      SessionPages: ratePolicy(600, 60, 'what pages of signature sessions send by their token'),
      CloudSigning: ratePolicy(30, 60, 'signatures with a cloud certificate begun, and returns from the hub'),
      TokenSigning: ratePolicy(30, 60, 'signatures with a token begun'),
      PendingSignatures: ratePolicy(600, 60, 'what browsers send by a token, without a key'),
    }),
  },
)

export type PkiCoreSettings = Static<typeof pkiCoreSettings>

/** Rules that span several settings. */
export const pkiCoreRules: readonly SettingsRule<PkiCoreSettings>[] = [...mailRules, ...noticeRules, ...consoleRules]
