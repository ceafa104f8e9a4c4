import { count } from '@chancela/service-kernel/config'
import Type from 'typebox'

const endpoint = (address: string, description: string) =>
  Type.String({
    default: address,
    accepts: 'an absolute http or https URL',
    pattern: '^https?://.+$',
    description,
  })

const authorities = Type.Optional(
  Type.String({
    minLength: 1,
    description:
      'PEM file with the authorities that may have issued its certificate, instead of those that Node.js trusts; for a private one.',
  }),
)

/** How a service reaches the cloud hub. Holders come back to `/cloud-return` of that service. */
export const cloudHubSettings = Type.Object({
  Endpoint: endpoint('http://localhost:8082', 'Base URL of the cloud certificate hub.'),
  ApiKey: Type.String({
    secret: true,
    default: '',
    description:
      'Key of an application there, with `<Http:PublicUrl>/cloud-return` among its redirect URIs. Without one nobody is offered to sign with a cloud certificate.',
  }),
  CaFile: authorities,
  TimeoutSeconds: count({ minimum: 1, maximum: 600, default: 120 }, 'Seconds the hub has for a signature.'),
})

/** How a service reaches the session server. */
export const sessionServerSettings = Type.Object({
  Endpoint: endpoint(
    'http://localhost:8081',
    'Base URL of the session server, to which the agents of workstations are connected.',
  ),
  ApiKey: Type.String({
    secret: true,
    default: '',
    description: 'Key of an application there. Without one nobody is offered to sign with a token.',
  }),
  CaFile: authorities,
  TimeoutSeconds: count({ minimum: 1, maximum: 600, default: 60 }, 'Seconds a token has for a signature.'),
})
