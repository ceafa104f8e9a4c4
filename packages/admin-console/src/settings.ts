import { readUrl } from '@chancela/service-kernel/addresses'
import { count, flag, type KernelSettings, ratePolicy, type SettingsRule } from '@chancela/service-kernel/config'
import { isToken } from '@chancela/service-kernel/http'
import Type, { type Static, type TObject } from 'typebox'

const text = (description: string) => Type.String({ minLength: 1, description })

/** How an identity provider is called. */
export const providerLimits = {
  TimeoutSeconds: count({ minimum: 1, maximum: 120, default: 10 }, 'Seconds for one answer of the provider.'),
  AllowedHosts: Type.Array(Type.String(), {
    default: [],
    description:
      "Hosts besides the issuer's own, and CIDR ranges, where the provider may be asked although they are not public.",
  }),
}

/** The settings of an identity provider, the same in every service that uses one. */
export const oidcFields = (whom: string) => ({
  Enabled: flag(false, `Whether ${whom} may sign in at an identity provider.`),
  Title: Type.String({ default: 'OpenID Connect', description: 'Name of the provider on the sign-in page.' }),
  Issuer: Type.Optional(text('Issuer URL of the provider.')),
  ClientId: Type.Optional(text('Id of this client at the provider.')),
  ClientSecret: Type.Optional(Type.String({ secret: true, description: 'Secret of this client at the provider.' })),
  ...providerLimits,
})

/** The same as values; without those who are admitted. */
export type OidcSettings = Static<TObject<ReturnType<typeof oidcFields>>>

/** The sections of a console: how administrators sign in. */
export const consoleSections = ({ cookieName }: { readonly cookieName: string }) => ({
  Auth: Type.Object({
    CookieName: Type.String({
      default: cookieName,
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
    FailureMinutes: count(
      { minimum: 1, maximum: 1440, default: 15 },
      'Minutes a wrong password or code counts; the next one begins them anew.',
    ),
    ProofMinutes: count(
      { minimum: 1, maximum: 1440, default: 10 },
      'Minutes after a password and code, or a fresh sign-in at the identity provider, in which the second factor, administrators and keys may be changed; later they are asked for again.',
    ),
    RequireSecondFactor: flag(true, 'Whether local administrators need an authenticator app.'),
    Password: flag(true, 'Whether local administrators may sign in; false leaves the identity provider alone.'),
  }),
  Oidc: Type.Object({
    ...oidcFields('administrators'),
    Administrators: Type.Array(Type.String(), {
      default: [],
      description: 'Verified e-mail addresses that may sign in at this server; nobody else gets in.',
    }),
    RoleClaim: Type.Optional(
      text(
        'Claim that names the role of whoever signs in: administrator, auditor or support, as a text or a list of which the first of these counts; a path with dots leads into nested claims. Whoever has none of them does not get in. Without this setting everybody of Oidc:Administrators is an administrator.',
      ),
    ),
  }),
})

/** What a service adds to its rate limits for them: `RateLimiting: Type.Object({ SignIn: signInPolicy, … })`. */
export const signInPolicy = ratePolicy(20, 60, 'attempts to sign in')

/** The settings of a service that a console reads. */
export type ConsoleSettings = Static<TObject<ReturnType<typeof consoleSections>>> & {
  readonly Console: Pick<KernelSettings['Http'], 'PublicUrl'>
}

/** Rules over several settings of an identity provider. */
export const oidcRules: readonly SettingsRule<{ readonly Oidc: OidcSettings }>[] = [
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
]

/** Rules over several of these settings. */
export const consoleRules: readonly SettingsRule<ConsoleSettings>[] = [
  ({ Auth: { CookieName } }) =>
    isToken(CookieName) ? [] : [{ key: 'Auth:CookieName', sentence: 'must be a name that a cookie can have.' }],
  ...oidcRules,
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

/** Whether a text is the address of a provider: https, or http on this machine. */
export function isIssuer(text: string): boolean {
  const url = readUrl(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))
}
