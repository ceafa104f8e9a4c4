import Type from 'typebox'

const FORM = 'application/x-www-form-urlencoded'

const tags = ['Session']

/** Form login (spec 2, Endpoints). */
export const login = {
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Signs an operator in with the API key.',
  description:
    'Form fields `ApiKey` (required) and `ReturnUrl` (a local path; anything else becomes `/`). Answers a redirect: to `ReturnUrl` with the session cookie, or to `/login?error=invalid` (wrong key) or `/login?error=server` (no key configured). A caller that accepts `application/json` gets 204 or the problem instead. Where an identity provider is configured, no key is accepted here.',
  tags,
  access: 'anonymous',
  policy: 'Login',
  consumes: [FORM],
  refusals: ['auth.invalid-credentials', 'auth.misconfigured'],
} as const

export const logout = {
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Ends the session of this browser and leads to the login page.',
  description:
    'The session ends here, not at the identity provider. An approver who is no operator is led to `/approvals/link-required`.',
  tags,
  access: 'anonymous',
} as const

export const idpLogin = {
  method: 'GET',
  path: '/api/auth/idp-login',
  summary: 'Begins a sign-in at an external identity provider; leads to the login page where none is configured.',
  description:
    '`ReturnUrl` is a local path; anything else becomes `/`. Answers a redirect: to the provider, or to `/login?error=server` while it does not answer.',
  tags,
  status: 302,
  access: 'anonymous',
  policy: 'Login',
  query: Type.Object({ ReturnUrl: Type.Optional(Type.String()) }),
} as const

export const finishIdpLogin = {
  method: 'GET',
  path: '/signin-oidc',
  summary: 'Where the identity provider sends the browser back to.',
  description:
    'Answers a redirect: to the page the sign-in was begun for, to `/access-denied` for somebody without a role, or to `/login?error=invalid` (refused) or `/login?error=server` (the provider did not answer).',
  tags,
  status: 302,
  access: 'anonymous',
} as const

/** What the login page asks before anybody signed in. */
export const signInWays = {
  method: 'GET',
  path: '/dashboard/api/sign-in',
  summary: 'How operators sign in: at the identity provider, or with the key.',
  hidden: true,
  access: 'anonymous',
  answer: Type.Object({ identityProvider: Type.Boolean() }),
} as const

/** The signed-in operator; the dashboard requests it when it opens. */
export const whoAmI = {
  method: 'GET',
  path: '/api/whoami',
  summary: 'Who the caller is to the service, and by which scheme.',
  tags,
  answer: Type.Object(
    {
      operator: Type.String(),
      scheme: Type.Enum(['api-key', 'cookie', 'idp']),
      timeZone: Type.String({ description: 'Where the days of the site begin and end.' }),
    },
    { $id: 'WhoAmI' },
  ),
} as const

/** Display languages. */
export const cultures = ['en-US', 'pt-BR'] as const

export const setCulture = {
  method: 'POST',
  path: '/api/culture',
  summary: 'Sets the display language of this browser and leads back to a page.',
  description: '`culture` (en-US or pt-BR) and `redirectUri` (a local path) as query or form.',
  tags,
  access: 'anonymous',
  query: Type.Object({ culture: Type.Optional(Type.String()), redirectUri: Type.Optional(Type.String()) }),
  consumes: [FORM],
  refusals: ['culture.not-supported'],
} as const

export const getCulture = {
  method: 'GET',
  path: '/api/culture',
  summary: 'The display language of this browser: as set, else as it asks for, else en-US.',
  tags,
  access: 'anonymous',
  answer: Type.Object({ culture: Type.Enum([...cultures]), supported: Type.Array(Type.String()) }, { $id: 'Culture' }),
} as const

export const customerLogo = {
  method: 'GET',
  path: '/branding/customer-logo',
  summary: 'The logo of the house that runs the service.',
  description: 'With `v` as the page asks for it, the answer may be kept for good.',
  tags: ['Branding'],
  access: 'anonymous',
  query: Type.Object({ v: Type.Optional(Type.String()) }),
  produces: 'image/*',
  refusals: ['branding.customer-logo-not-available'],
} as const
