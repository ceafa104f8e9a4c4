import { consoleRules, consoleSections, signInPolicy } from '@chancela/admin-console'
import { mailRules, mailSettings } from '@chancela/outbox/mail'
import { noticeRules, noticeSettings } from '@chancela/outbox/notices'
import {
  auditChainSection,
  count,
  flag,
  httpSection,
  ratePolicy,
  type SettingsRule,
  serviceSettings,
} from '@chancela/service-kernel/config'
import Type, { type Static } from 'typebox'

/** The settings of the service. */
export const cloudHubSettings = serviceSettings(
  {
    Http: { Port: 8082, BodyLimitBytes: 262_144, MaxRunning: 512 },
    Database: { Url: 'sqlite:cloud-hub/db/cloud-hub.db' },
    Secrets: { MasterKeyFile: 'cloud-hub/keys/master.key' },
  },
  {
    AuditChain: auditChainSection,
    Console: httpSection({ Port: 8089, BodyLimitBytes: 65_536 }),
    Sessions: Type.Object({
      DefaultSeconds: count(
        { minimum: 30, maximum: 2_592_000, default: 300 },
        'Lifetime of a session whose client asks for none, counted from its creation.',
      ),
      SignatureSessionSeconds: count(
        { minimum: 30, maximum: 2_592_000, default: 3600 },
        'The same for sessions of the types SignatureSession and AuthenticationSession.',
      ),
      MaxSecondsCpf: count(
        { minimum: 30, maximum: 2_592_000, default: 604_800 },
        'Longest lifetime; who asks for more gets this one.',
      ),
      MaxSecondsCnpj: count({ minimum: 30, maximum: 2_592_000, default: 2_592_000 }, 'The same for a CNPJ.'),
      AuthorizationMinutes: count(
        { minimum: 1, maximum: 1440, default: 15 },
        "Minutes a holder has at the provider, however long the session's lifetime is.",
      ),
      TombstoneHours: count(
        { minimum: 1, maximum: 720, default: 24 },
        'Hours a session that is over is remembered, so that expired and unknown stay distinguishable.',
      ),
    }),
    Email: mailSettings,
    Notices: noticeSettings,
    Discovery: Type.Object({
      TimeoutMilliseconds: count(
        { minimum: 100, maximum: 60_000, default: 4000 },
        'Time a provider has to tell whether it holds a certificate; it is left out afterwards.',
      ),
      FoundSeconds: count(
        { minimum: 0, maximum: 2_592_000, default: 86_400 },
        'Seconds a holder who was found at a provider is still offered it while it does not answer; 0 leaves it out at once.',
      ),
      CacheSeconds: count(
        { minimum: 0, maximum: 3600, default: 30 },
        'Seconds an answer of a provider to discovery is reused; 0 asks every time.',
      ),
    }),
    Providers: Type.Object({
      TimeoutSeconds: count({ minimum: 1, maximum: 300, default: 20 }, 'Seconds for an answer of a provider.'),
      SignTimeoutSeconds: count(
        { minimum: 1, maximum: 600, default: 118 },
        'Seconds for a signature; clients give up after 120.',
      ),
      MaxResponseBytes: count(
        { minimum: 4096, maximum: 67_108_864, default: 1_048_576 },
        'Largest answer of a provider.',
      ),
      BreakerFailures: count(
        { minimum: 1, maximum: 1000, default: 5 },
        'Failures in a row after which a provider is left alone.',
      ),
      BreakerSeconds: count({ minimum: 1, maximum: 3600, default: 30 }, 'Seconds it is left alone.'),
      AllowedHosts: Type.Array(Type.String(), {
        default: [],
        description:
          'Host names and CIDR ranges of providers that may be called although they are not public, and without TLS.',
      }),
      AllowedProxies: Type.Array(Type.String(), {
        default: [],
        description:
          'Host names and CIDR ranges of proxies that providers may be reached through although they are not public.',
      }),
    }),
    Signing: Type.Object({
      AllowSha1: flag(false, 'Whether SHA-1 hashes are signed.'),
      BatchMilliseconds: count(
        { minimum: 0, maximum: 60_000, default: 25 },
        'Time that calls on one MultiSignature session wait for one another, to be one call of the provider; a call that is full leaves at once.',
      ),
      AuditDays: count({ minimum: 1, maximum: 36_500, default: 365 }, 'Days the audit of uses is kept.'),
    }),
    ...consoleSections({ cookieName: 'chancela-hub' }),
    RateLimiting: Type.Object({
      SignIn: signInPolicy,
      Discovery: ratePolicy(600, 60, 'operations that ask providers for an identifier'),
      Browser: ratePolicy(1200, 60, 'pages and callbacks of holders'),
    }),
  },
)

export type CloudHubSettings = Static<typeof cloudHubSettings>

/** Rules that span several settings. */
export const cloudHubRules: readonly SettingsRule<CloudHubSettings>[] = [
  ({ Sessions: { DefaultSeconds, SignatureSessionSeconds, MaxSecondsCpf } }) =>
    Math.max(DefaultSeconds, SignatureSessionSeconds) > MaxSecondsCpf
      ? [{ key: 'Sessions:MaxSecondsCpf', sentence: 'must not be less than the lifetimes given by default.' }]
      : [],
  ...mailRules,
  ...noticeRules,
  ...consoleRules,
]
