import { count, flag, httpSection, type SettingsRule, serviceSettings } from '@chancela/service-kernel/config'
import { isToken } from '@chancela/service-kernel/http'
import Type, { type Static } from 'typebox'

const policy = (permits: number, seconds: number, what: string) =>
  Type.Object({
    PermitsPerWindow: count({ minimum: 1, maximum: 1_000_000, default: permits }, `Calls of one address: ${what}.`),
    WindowSeconds: count({ minimum: 1, maximum: 86_400, default: seconds }, 'Length of the window, in seconds.'),
  })

const text = (description: string) => Type.String({ minLength: 1, description })

/** The settings of the service; names as in the specification where it names them. */
export const sessionServerSettings = serviceSettings(
  {
    // A document that waits longer than this line is better refused at once.
    Http: { Port: 8081, BodyLimitBytes: 65_536, MaxRunning: 64, MaxQueued: 64 },
    Database: { Url: 'sqlite:session-server/db/session-server.db' },
    Secrets: { MasterKeyFile: 'session-server/keys/master.key' },
  },
  {
    Console: httpSection({ Port: 8088, BodyLimitBytes: 65_536 }),
    Sessions: Type.Object({
      DefaultSeconds: count(
        { minimum: 1, maximum: 604_800, default: 900 },
        'Window of a session whose client asks for none: seconds without signing after which it ends.',
      ),
      MaxSeconds: count(
        { minimum: 1, maximum: 604_800, default: 28_800 },
        'Longest window; a client that asks for more gets this one.',
      ),
      SignatureAllowance: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000,
          description: 'Signing calls after which a session ends. Default: no limit. 1 ends it after every call.',
        }),
      ),
    }),
    Pin: Type.Object({
      MaxFailures: count(
        { minimum: 1, maximum: 100, default: 5 },
        'Wrong PINs for one CPF in the window, over all keys, that lock it.',
      ),
      WindowMinutes: count({ minimum: 1, maximum: 1440, default: 15 }, 'Minutes a wrong PIN counts.'),
      PromptSeconds: count(
        { minimum: 1, maximum: 600, default: 60 },
        'Seconds the holder has to answer at the workstation.',
      ),
      MaxPrompts: count(
        { minimum: 1, maximum: 10_000, default: 32 },
        'Holders asked at the same time; their requests stay open and take running places.',
      ),
    }),
    Signing: Type.Object({
      MaxDocumentBytes: count(
        { minimum: 1024, maximum: 1_073_741_824, default: 10_485_760 },
        'Largest document, in decoded bytes.',
      ),
      MaxBatchItems: count({ minimum: 1, maximum: 1000, default: 50 }, 'Most documents of a batch.'),
      SignerConcurrency: count(
        { minimum: 1, maximum: 256, default: 16 },
        'Documents that are at the signature service at the same time.',
      ),
      BudgetSeconds: count({ minimum: 1, maximum: 600, default: 60 }, 'Seconds a signing request may take.'),
      ReconnectGraceSeconds: count(
        { minimum: 0, maximum: 120, default: 15 },
        'Seconds a signing request waits for a workstation that has lost its connection.',
      ),
      MaxHeldBytes: count(
        { minimum: 10_485_760, maximum: 68_719_476_736, default: 536_870_912 },
        'Bytes of documents held in memory by all requests together; more are refused as busy.',
      ),
      LogDays: count({ minimum: 1, maximum: 36_500, default: 365 }, 'Days the log of signatures is kept.'),
    }),
    Signer: Type.Object({
      Endpoint: Type.String({
        default: 'http://localhost:8085',
        accepts: 'an absolute http or https URL',
        pattern: '^https?://.+$',
        description: 'Base URL of the signature service: the document platform or a server with its API.',
      }),
      ApiKey: Type.String({
        secret: true,
        default: '',
        description: 'Key of an application there, as `name|secret`. Without one nothing can be signed.',
      }),
      FolderId: Type.Optional(text('Folder there that documents are put into. Default: none.')),
      TimeoutSeconds: count(
        { minimum: 1, maximum: 300, default: 30 },
        'Seconds for one answer of the signature service.',
      ),
    }),
    Certificates: Type.Object({
      TrustAnchorsFile: Type.Optional(
        text('PEM file with the trusted roots. Default: the official roots of ICP-Brasil.'),
      ),
      AuthorityHosts: Type.Array(Type.String(), {
        default: [],
        description:
          'Host names and CIDR ranges of certificate authorities that may be asked although they are not public.',
      }),
      RecheckMinutes: count(
        { minimum: 1, maximum: 1440, default: 15 },
        'Minutes after which a certificate is judged again.',
      ),
      StaleAfterMinutes: count(
        { minimum: 1, maximum: 43_200, default: 240 },
        'Minutes a certificate stays ACTIVE while nobody tells whether it is revoked; then it is STALE.',
      ),
    }),
    Workstations: Type.Object({
      EnrolmentMinutes: count({ minimum: 1, maximum: 1440, default: 15 }, 'Minutes an enrolment code is good for.'),
      PingSeconds: count(
        { minimum: 1, maximum: 600, default: 30 },
        'Seconds between signs of life; two without an answer cut the connection.',
      ),
      AnswerSeconds: count(
        { minimum: 1, maximum: 300, default: 10 },
        'Seconds an agent has for a step of its connection, and for an answer that needs no person.',
      ),
    }),
    Auth: Type.Object({
      CookieName: Type.String({
        default: 'chancela-sessions',
        minLength: 1,
        description: 'Name of the cookie of an administrator who signed in at the console.',
      }),
      SessionHours: count(
        { minimum: 1, maximum: 168, default: 8 },
        'How long, in hours, a sign-in without calls lasts; every call extends it.',
      ),
      PasswordCost: count(
        { minimum: 10, maximum: 20, default: 15 },
        'Work to hash a password (scrypt, r = 8, p = 3), as a power of two: 15 takes 32 MB and a quarter of a second.',
      ),
      MaxFailures: count(
        { minimum: 1, maximum: 100, default: 5 },
        'Wrong passwords and codes of one administrator in the window after which no more are tried.',
      ),
      FailureMinutes: count({ minimum: 1, maximum: 1440, default: 15 }, 'Minutes a wrong password or code counts.'),
      RequireSecondFactor: flag(true, 'Whether local administrators need an authenticator app.'),
      Password: flag(true, 'Whether local administrators may sign in; false leaves the identity provider alone.'),
    }),
    Oidc: Type.Object({
      Enabled: flag(false, 'Whether administrators may sign in at an identity provider.'),
      Title: Type.String({ default: 'OpenID Connect', description: 'Name of the provider on the sign-in page.' }),
      Issuer: Type.Optional(text('Issuer URL of the provider.')),
      ClientId: Type.Optional(text('Id of this client at the provider.')),
      ClientSecret: Type.Optional(Type.String({ secret: true, description: 'Secret of this client at the provider.' })),
      Administrators: Type.Array(Type.String(), {
        default: [],
        description: 'Verified e-mail addresses that administer this server; nobody else gets in.',
      }),
      TimeoutSeconds: count({ minimum: 1, maximum: 120, default: 10 }, 'Seconds for one answer of the provider.'),
    }),
    RateLimiting: Type.Object({
      SignIn: policy(20, 60, 'attempts to sign in'),
      Enrolment: policy(20, 60, 'attempts to enrol a workstation'),
      // All agents of a house may share one address, and come back at once after a restart.
      Channel: policy(3000, 60, 'connections of workstation agents'),
    }),
  },
)

export type SessionServerSettings = Static<typeof sessionServerSettings>

/** What no single setting can say. */
export const sessionServerRules: readonly SettingsRule<SessionServerSettings>[] = [
  ({ Certificates: { RecheckMinutes, StaleAfterMinutes } }) =>
    RecheckMinutes >= StaleAfterMinutes
      ? [{ key: 'Certificates:StaleAfterMinutes', sentence: 'must be more than Certificates:RecheckMinutes.' }]
      : [],
  ({ Auth: { CookieName } }) =>
    isToken(CookieName) ? [] : [{ key: 'Auth:CookieName', sentence: 'must be a name that a cookie can have.' }],
  ({ Oidc }) =>
    (['Issuer', 'ClientId'] as const).flatMap((name) =>
      Oidc.Enabled && Oidc[name] === undefined
        ? [{ key: `Oidc:${name}`, sentence: 'must be given while Oidc:Enabled is true.' }]
        : [],
    ),
  ({ Oidc: { Enabled, Issuer } }) =>
    Enabled && Issuer !== undefined && !isIssuer(Issuer)
      ? [{ key: 'Oidc:Issuer', sentence: 'must be an https URL; http is for a provider on this machine.' }]
      : [],
  ({ Oidc: { Enabled, Administrators } }) =>
    Enabled && Administrators.length === 0
      ? [{ key: 'Oidc:Administrators', sentence: 'must name somebody while Oidc:Enabled is true.' }]
      : [],
  ({ Auth, Oidc }) =>
    !Auth.Password && !Oidc.Enabled
      ? [{ key: 'Auth:Password', sentence: 'is needed where nobody can sign in at an identity provider.' }]
      : [],
]

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))
}
