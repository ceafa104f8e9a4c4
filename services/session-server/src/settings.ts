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

const text = (description: string) => Type.String({ minLength: 1, description })

/** One of the server's own tokens. */
const ServerToken = Type.Object({
  Name: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$',
    accepts: 'up to 64 letters, digits, blanks, dots, hyphens and underscores',
    description: 'What it is called in the console, in the log and in readiness.',
  }),
  ModulePath: Type.String({
    pattern: '^/.+|^[A-Za-z]:',
    accepts: 'an absolute path',
    description: 'The PKCS#11 module: the shared library of its vendor.',
  }),
  TokenLabel: Type.Optional(text('Label or serial number of the token, where the module has several.')),
  Pin: Type.Optional(
    Type.String({
      secret: true,
      minLength: 1,
      description:
        'PIN of an HSM partition; each holder has another, which an administrator sets in the console. Without it the token’s PIN is that of its holder, which the client brings.',
    }),
  ),
  Sessions: count({ minimum: 1, maximum: 64, default: 2 }, 'Signatures of the token at the same time.'),
})

/** The agent's package for one kind of computer. */
const AgentPackage = Type.Object({
  Platform: Type.String({
    pattern: '^(linux|darwin|win32)-(x64|arm64)$',
    accepts: '`linux`, `darwin` or `win32`, a hyphen, and `x64` or `arm64`',
    description: 'The computers it is for.',
  }),
  Url: Type.String({ pattern: '^https?://.+$', accepts: 'an absolute http or https URL', description: 'Where it is.' }),
  Sha256: Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    accepts: '64 hexadecimal digits',
    description: 'Digest of its bytes, which the agents require.',
  }),
})

export type TokenSettings = Static<typeof ServerToken>

/** The settings of the service; names as in the specification where it names them. */
export const sessionServerSettings = serviceSettings(
  {
    // A document that would wait behind a longer queue is better refused at once.
    Http: { Port: 8081, BodyLimitBytes: 65_536, MaxRunning: 64, MaxQueued: 64 },
    Database: { Url: 'sqlite:session-server/db/session-server.db' },
    Secrets: { MasterKeyFile: 'session-server/keys/master.key' },
  },
  {
    AuditChain: auditChainSection,
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
      HistoryDays: count(
        { minimum: 1, maximum: 36_500, default: 90 },
        'Days the console shows sessions that ended and attempts to open one that failed.',
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
      CaFile: Type.Optional(
        text(
          'PEM file with the authorities that may have issued its certificate, instead of those that Node.js trusts; for a private one.',
        ),
      ),
      NotifySigner: flag(
        false,
        'Whether the service mails the holder of each document that is signed or canceled there.',
      ),
      FolderId: Type.Optional(text('Folder there that documents are put into. Default: none.')),
      TimeoutSeconds: count(
        { minimum: 1, maximum: 300, default: 30 },
        'Seconds for one answer of the signature service. What creates nothing there is waited for as long as the request may last.',
      ),
    }),
    Email: mailSettings,
    Notices: noticeSettings,
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
    ServerTokens: Type.Object({
      Tokens: Type.Array(ServerToken, {
        default: [],
        maxItems: 32,
        description:
          'The server’s own PKCS#11 tokens and HSM partitions: Name, ModulePath (absolute), and optionally TokenLabel (label or serial number), Pin (secret: that of an HSM partition, whose holders each get a PIN in the console; without it the client brings the token’s own) and Sessions (signatures at the same time, 2 by default).',
      }),
      LookSeconds: count(
        { minimum: 1, maximum: 3600, default: 15 },
        'Seconds between two looks at the server’s own tokens.',
      ),
      AnswerSeconds: count(
        { minimum: 1, maximum: 300, default: 20 },
        'Seconds for one answer of a token; its process is ended when it takes longer.',
      ),
    }),
    Workstations: Type.Object({
      House: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Name of the house, which holders read where they are asked at their workstations.',
        }),
      ),
      AgentVersion: Type.Optional(
        Type.String({
          maxLength: 50,
          pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$',
          accepts: 'a version as `1.2.0`',
          description: 'Version of the agent that holders are told of where theirs is older.',
        }),
      ),
      AgentPackages: Type.Array(AgentPackage, {
        default: [],
        maxItems: 16,
        description:
          'That version as packages: Platform (`linux-x64`, `win32-x64`, `darwin-arm64` …), Url and Sha256. An agent installs one on its holder’s word, and only these bytes.',
      }),
      OfflineNoticeHours: count(
        { minimum: 1, maximum: 8760, default: 72 },
        'Hours a workstation is offline before operators are told (Notices); computers are switched off over night and at weekends.',
      ),
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
    Approvals: Type.Object({
      LifeSeconds: count(
        { minimum: 10, maximum: 3600, default: 300 },
        'Seconds a holder has to approve a signature at a workstation, and a pairing code is good for.',
      ),
      ReadySeconds: count(
        { minimum: 1, maximum: 600, default: 90 },
        'Seconds an approved certificate waits for the hashes to sign.',
      ),
      MaxOpen: count({ minimum: 1, maximum: 100_000, default: 1000 }, 'Approvals open at the same time.'),
      PromptsPerCpf: count(
        { minimum: 0, maximum: 100, default: 5 },
        'Requests that show themselves at the workstations of one CPF in five minutes; further ones need the code. 0: all need it.',
      ),
      QuietSeconds: count(
        { minimum: 0, maximum: 86_400, default: 60 },
        'Seconds after a refusal in which nothing shows itself at the workstations of a CPF.',
      ),
      MaxWrongCodes: count(
        { minimum: 1, maximum: 100, default: 5 },
        'Wrong pairing codes of one workstation in five minutes after which no more are tried.',
      ),
    }),
    ...consoleSections({ cookieName: 'chancela-sessions' }),
    RateLimiting: Type.Object({
      SignIn: signInPolicy,
      Enrolment: ratePolicy(20, 60, 'attempts to enrol a workstation'),
      // All agents of a site may share one address, and reconnect at once after a restart.
      Channel: ratePolicy(3000, 60, 'connections of workstation agents'),
    }),
  },
)

export type SessionServerSettings = Static<typeof sessionServerSettings>

/** Rules that span several settings. */
export const sessionServerRules: readonly SettingsRule<SessionServerSettings>[] = [
  ({ Certificates: { RecheckMinutes, StaleAfterMinutes } }) =>
    RecheckMinutes >= StaleAfterMinutes
      ? [{ key: 'Certificates:StaleAfterMinutes', sentence: 'must be more than Certificates:RecheckMinutes.' }]
      : [],
  ({ ServerTokens: { Tokens } }) =>
    Tokens.flatMap(({ Name }, at) =>
      Tokens.findIndex((one) => one.Name === Name) === at
        ? []
        : [{ key: `ServerTokens:Tokens:${at}:Name`, sentence: 'is that of another token.' }],
    ),
  ({ Workstations: { AgentVersion, AgentPackages } }) =>
    AgentVersion === undefined && AgentPackages.length > 0
      ? [{ key: 'Workstations:AgentVersion', sentence: 'must be given with Workstations:AgentPackages.' }]
      : [],
  ...mailRules,
  ...noticeRules,
  ...consoleRules,
]
