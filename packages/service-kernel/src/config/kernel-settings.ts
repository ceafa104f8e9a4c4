import Type, { type Static } from 'typebox'
import { readUrl } from '../addresses/index.ts'
import { isAddressOrNetwork } from './network-address.ts'

const MiB = 1_048_576

const ProxyAddress = Type.Refine(
  Type.String({ accepts: 'an IP address or a network in CIDR notation' }),
  isAddressOrNetwork,
  () => 'must be an address or a network',
)

const PublicUrl = Type.Refine(
  Type.String({
    ownOnly: true,
    accepts: 'an absolute http or https URL without query and fragment',
    description:
      'Base URL under which clients reach the service, used in links it hands out; derived from the address it listens on when not set.',
  }),
  isBaseUrl,
  () => 'must be a base URL',
)

const Tls = Type.Object({
  CertificateFile: Type.String({
    minLength: 1,
    description:
      'PEM file with the certificate to serve TLS with, its chain after it; a renewed one is taken over without a restart. Without it the service answers plain HTTP.',
  }),
  KeyFile: Type.String({ minLength: 1, description: 'PEM file with the private key of that certificate.' }),
  KeyPassword: Type.Optional(
    Type.String({ secret: true, minLength: 1, description: 'Password of that key, if it is encrypted.' }),
  ),
})

/**
 * Settings all services share. The port, the database and the place of the master key differ by service and have no
 * default here; `serviceSettings` sets one.
 */
export const kernelSettings = Type.Object({
  Environment: Type.Enum(['development', 'production'], {
    default: 'production',
    description: 'In development, error answers carry details that in production only the log has.',
  }),
  Http: Type.Object({
    Host: Type.String({
      ownOnly: true,
      minLength: 1,
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 for every interface.',
    }),
    Port: Type.Integer({
      ownOnly: true,
      minimum: 0,
      maximum: 65_535,
      description: 'TCP port to listen on; 0 takes any free one.',
    }),
    PublicUrl: Type.Optional(PublicUrl),
    TrustedProxies: Type.Array(ProxyAddress, {
      default: [],
      description:
        'Reverse proxies whose X-Forwarded-* headers are believed; nobody, not even this machine, unless listed.',
    }),
    Tls: Type.Optional(Tls),
    StrictTransport: Type.Optional(
      Type.Boolean({
        description:
          'Whether browsers are told to use nothing but TLS with this host name, on every port (Strict-Transport-Security). Default: yes with an https PublicUrl, or with Tls on an address that others can reach.',
      }),
    ),
    BodyLimitBytes: Type.Integer({
      minimum: 1024,
      default: MiB,
      description: 'Largest request body, in bytes, where a route does not say otherwise.',
    }),
    MaxRunning: Type.Integer({ minimum: 1, default: 128, description: 'Requests worked on at the same time.' }),
    MaxQueued: Type.Integer({
      minimum: 0,
      default: 512,
      description: 'Requests that wait for one of these places; more are refused at once.',
    }),
    RequestTimeoutSeconds: Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: 120,
      description: 'Longest time, in seconds, for a request to arrive completely.',
    }),
    DrainSeconds: Type.Integer({
      minimum: 0,
      maximum: 3600,
      default: 20,
      description: 'Longest time, in seconds, for running requests to finish when the service stops.',
    }),
  }),
  Database: Type.Object({
    Url: Type.String({
      secret: 'url-password',
      pattern: '^(sqlite:.+|postgres(ql)?://.+)$',
      accepts: '`sqlite:` and the path of a file, or `postgres://user:password@host/database`',
      description:
        'Where the service keeps its rows: a file of its own, or its schema in a PostgreSQL database, whose own parameters may follow (`?sslmode=verify-full&connect_timeout=30`; 10 seconds by default).',
    }),
  }),
  Secrets: Type.Object({
    MasterKeyFile: Type.String({
      minLength: 1,
      description:
        'File with the master keys that seal secrets in the database, one base64 line each, the last one seals; created on the first start. Back it up apart from the database: without it the secrets are lost.',
    }),
    MasterKey: Type.Optional(
      Type.String({
        secret: true,
        minLength: 44,
        accepts: 'one or more 32-byte keys in base64, separated by commas, the newest last',
        description: 'Master keys given directly instead of the file.',
      }),
    ),
  }),
  Log: Type.Object({
    Level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'Least severe level that is written.',
    }),
    Access: Type.Boolean({
      default: true,
      description: 'Whether each request is written as a line, without bodies and secrets.',
    }),
  }),
  RateLimiting: Type.Object({
    Enabled: Type.Boolean({ default: true, description: 'Whether the limits per client address hold.' }),
  }),
  Health: Type.Object({
    CacheSeconds: Type.Integer({
      minimum: 0,
      maximum: 300,
      default: 5,
      description: 'How long, in seconds, a readiness verdict is reused.',
    }),
    MinFreeBytes: Type.Integer({
      minimum: 0,
      default: 200 * MiB,
      description:
        'Room, in bytes, below which the check `disk` is red, for each disk with a folder of the service; 0 for none.',
    }),
    CertificateWarningDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 21,
      description:
        'Days before the end of a certificate of the service from which on it is time to renew it: the checks `certificate-expiring:…` and `tls` are red.',
    }),
    CertificateCriticalDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 3,
      description:
        'Days before the end of a certificate of the service from which on the check `certificate:…` is red, as it is for one that expired or was revoked.',
    }),
  }),
  Metrics: Type.Object({
    Enabled: Type.Boolean({ default: true, description: 'Whether the metrics are served.' }),
    RequireApiKey: Type.Boolean({ default: true, description: 'Whether reading the metrics takes an API key.' }),
  }),
  OpenApi: Type.Object({
    Enabled: Type.Boolean({
      default: true,
      description: 'Whether the OpenAPI document and the reference page are served.',
    }),
  }),
})

export type KernelSettings = Static<typeof kernelSettings>

export function isBaseUrl(text: string): boolean {
  const url = readUrl(text)
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && !/[?#]/.test(text)
}

type HomeSettings = Pick<KernelSettings['Http'], 'PublicUrl' | 'Host' | 'Port' | 'Tls'>

/** Where clients reach a surface, without a slash at the end: its public URL, or the address it listens on. */
export const homeUrl = ({ PublicUrl, Host, Port, Tls }: HomeSettings): string =>
  (PublicUrl ?? `${Tls ? 'https' : 'http'}://${Host}:${Port}`).replace(/\/+$/, '')
