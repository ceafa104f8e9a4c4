// Routes for browsers, without a key.
import Type from 'typebox'
import { TrustServiceInfoModel } from './models.ts'

const access = 'anonymous'

/** One fixed callback per provider, registered there (cloud-hub facts 4: mix-up). */
export const finishAuthorization = {
  method: 'GET',
  path: '/callbacks/{name}',
  summary: 'Where a provider sends the user back to; goes on to the redirect URI of the client.',
  status: 302,
  access,
  policy: 'Browser',
  hidden: true,
} as const

/** The hub's own page, for providers that ask the holder on a phone instead of showing a page. */
export const awaitConfirmation = {
  method: 'GET',
  path: '/waiting/{name}',
  summary: 'Waits until the holder has confirmed on the phone; goes on to the redirect URI of the client.',
  status: 200,
  access,
  policy: 'Browser',
  hidden: true,
} as const

/** The way out for a holder whose phone is lost, off or elsewhere. */
export const leavePhone = {
  method: 'GET',
  path: '/waiting/{name}/page',
  summary: 'Goes on to the page of the provider, and no longer waits for the phone.',
  status: 302,
  access,
  policy: 'Browser',
  hidden: true,
} as const

/** The data of the chooser page. */
export const readChoice = {
  method: 'GET',
  path: '/choices/{ticket}',
  summary: 'The providers among which a user may choose, or the one a session bound to a list is at; and the list.',
  answer: Type.Object({
    application: Type.String({ description: 'The client application that sent the user.' }),
    expiresAt: Type.String({ format: 'date-time' }),
    services: Type.Array(
      Type.Object({
        serviceInfo: TrustServiceInfoModel,
        authUrl: Type.String(),
        available: Type.Boolean({ description: 'False while the provider is left alone after failures.' }),
      }),
    ),
    documents: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of what will be signed, where the session is bound to a list.' }),
    ),
    backUrl: Type.String({
      description: 'Where the user goes who chooses none: the client, with error=access_denied.',
    }),
  }),
  access,
  policy: 'Browser',
  hidden: true,
  refusals: ['NotFound'],
} as const

/** Leaves the chooser page without a choice. */
export const chooseNone = {
  method: 'GET',
  path: '/choices/{ticket}/none',
  summary: 'Ends what the chooser offered, and goes on to the redirect URI of the client.',
  status: 302,
  access,
  policy: 'Browser',
  hidden: true,
} as const

/** The logo of a provider without its own: older clients crash on a null. */
export const readBadge = {
  method: 'GET',
  path: '/badges/{name}',
  summary: 'A plain logo with the first letter of the provider.',
  produces: 'image/svg+xml',
  access,
  hidden: true,
  refusals: ['NotFound'],
} as const
