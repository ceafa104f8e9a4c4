import { consoleSections, signInPolicy } from '@chancela/admin-console'
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
import { isToken } from '@chancela/service-kernel/http'
import { cloudHubSettings, sessionServerSettings } from '@chancela/service-links'
import Type, { type Static } from 'typebox'

/** The settings of the service. */
export const credentialPlatformSettings = serviceSettings(
  {
    Http: { Port: 8086, BodyLimitBytes: 4_194_304, MaxRunning: 256 },
    Database: { Url: 'sqlite:credential-platform/db/credential-platform.db' },
    Secrets: { MasterKeyFile: 'credential-platform/keys/master.key' },
  },
  {
    AuditChain: auditChainSection,
    Storage: storageSettings('credential-platform/blobs'),
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
        Type.String({
          description: 'URL of the timestamp authority. Without one nothing can be signed at the levels of the norm.',
        }),
      ),
      RequireHardwareKeys: flag(
        false,
        'Whether people have to sign with a certificate of type A3 or better. The stored certificate of an institution is a file in any case.',
      ),
      TokenMinutes: count(
        { minimum: 1, maximum: 1440, default: 30 },
        'Minutes between the beginning and the completion of a signature.',
      ),
    }),
    CloudHub: cloudHubSettings,
    SessionServer: sessionServerSettings,
    DocumentPlatform: Type.Object({
      PollMinutes: count(
        { minimum: 1, maximum: 1440, default: 15 },
        'Minutes without news of a document at the document platform after which it is asked for.',
      ),
      TimeoutSeconds: count(
        { minimum: 1, maximum: 300, default: 60 },
        'Seconds that the document platform of an organization has to answer. Its address is judged as those of webhooks are.',
      ),
    }),
    Webhooks: Type.Object({
      MaxAttempts: count(
        { minimum: 1, maximum: 50, default: 11 },
        'Attempts of a delivery: one, and ten more over some four and a half hours.',
      ),
      TimeoutSeconds: count({ minimum: 1, maximum: 300, default: 30 }, 'Seconds a receiver has to answer.'),
      AllowedHosts: Type.Array(Type.String(), {
        default: [],
        description: 'Host names and CIDR ranges that may be sent to although they are not public.',
      }),
      AllowHttp: flag(true, 'Whether plain http addresses may be configured; https is recommended.'),
      AllowedPorts: allowedPorts,
      RestampEvents: flag(false, 'Whether events of restamps are sent.'),
      RetentionDays: count(
        { minimum: 1, maximum: 3650, default: 30 },
        'Days that what was sent, and what failed, is kept for the operator.',
      ),
      MaxLoggedDeliveries: count(
        { minimum: 1000, maximum: 1_000_000_000, default: 10_000_000 },
        'Most deliveries that are kept, whatever their age.',
      ),
    }),
    Auth: consoleSections({ cookieName: 'chancela-credentials' }).Auth,
    Email: mailSettings,
    Notices: noticeSettings,
    Users: Type.Object({
      InvitationHours: count({ minimum: 1, maximum: 720, default: 168 }, 'Hours an invitation may be accepted.'),
    }),
    Api: Type.Object({
      IdempotencyHours: count(
        { minimum: 1, maximum: 720, default: 24 },
        'Hours in which a creation that is repeated under its Idempotency-Key is answered as before.',
      ),
      EventDays: count({ minimum: 30, maximum: 36_500, default: 3650 }, 'Days that events of items are kept.'),
    }),
    Checks: Type.Object({
      MaxDocumentBytes: count(
        { minimum: 65_536, maximum: 536_870_912, default: 33_554_432 },
        'Largest XML, in bytes, that anybody may have checked, and that registrars take.',
      ),
      MaxRunning: count(
        { minimum: 1, maximum: 64, default: 2 },
        'Documents of anybody that are checked at once; twice as many wait.',
      ),
    }),
    Batches: Type.Object({
      MaxRows: count({ minimum: 1, maximum: 1_000_000, default: 50_000 }, 'Most rows of a batch.'),
      MaxBytes: count(
        { minimum: 65_536, maximum: 17_179_869_184, default: 1_073_741_824 },
        'Largest file of a batch, in bytes.',
      ),
      RowsPerRound: count(
        { minimum: 1, maximum: 10_000, default: 100 },
        'Rows that become items in one transaction; the next round of a batch waits for those of the others.',
      ),
    }),
    Templates: Type.Object({
      PreviewSeconds: count({ minimum: 1, maximum: 120, default: 15 }, 'Seconds that drawing a draft may take.'),
      PreviewsRunning: count(
        { minimum: 1, maximum: 16, default: 2 },
        'Drafts of templates that are drawn at once, each in a thread; twice as many wait.',
      ),
    }),
    Wallet: Type.Object({
      OfferHours: count({ minimum: 1, maximum: 2160, default: 168 }, 'Hours a link to a credential may be used.'),
      StatusListHours: count(
        { minimum: 1, maximum: 720, default: 24 },
        'Hours a status list holds for whoever keeps a copy; a fresh one holds for three quarters of them at least.',
      ),
      CacheSeconds: count(
        { minimum: 0, maximum: 3600, default: 60 },
        'Seconds that caches may keep a status list, and the keys of an institution.',
      ),
    }),
    RateLimiting: Type.Object({
      Checks: ratePolicy(30, 60, 'documents that anybody has checked'),
      SignIn: signInPolicy,
      CloudSigning: ratePolicy(60, 60, 'signatures with a cloud certificate begun, and returns from the hub'),
      TokenSigning: ratePolicy(60, 60, 'signatures with a token begun'),
      Public: ratePolicy(600, 60, 'what is asked without a key'),
      Invitations: ratePolicy(60, 60, 'invitations of people'),
      Previews: ratePolicy(120, 60, 'drafts of templates and renewed representations'),
    }),
  },
)

export type CredentialPlatformSettings = Static<typeof credentialPlatformSettings>

/** Rules that span several settings. */
export const credentialPlatformRules: readonly SettingsRule<CredentialPlatformSettings>[] = [
  ...mailRules,
  ...noticeRules,
  ({ Auth: { CookieName } }) =>
    isToken(CookieName) ? [] : [{ key: 'Auth:CookieName', sentence: 'must be a name that a cookie can have.' }],
  ({ Auth: { Password } }) =>
    Password ? [] : [{ key: 'Auth:Password', sentence: 'must be true: people sign in here in no other way.' }],
]
