import { type Static, Type } from 'typebox'

/** What the home page shows of one service, built or not. */
export const ServiceView = Type.Object({
  name: Type.String({ description: 'Folder name of the service, as used by --only.' }),
  title: Type.String(),
  summary: Type.String({ description: 'One sentence of what it does.' }),
  specification: Type.String({ description: 'Where its contract stands: document and part.' }),
  baseUrl: Type.String(),
  state: Type.Union(
    [Type.Literal('running'), Type.Literal('degraded'), Type.Literal('stopped'), Type.Literal('not-built')],
    { description: 'degraded: it answers but a readiness check is red; stopped: built but not started here (--only).' },
  ),
  checks: Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean() })),
  healthUrl: Type.Optional(Type.String()),
  referenceUrl: Type.Optional(Type.String({ description: 'Browsable API reference.' })),
  openApiUrl: Type.Optional(Type.String()),
  apiKey: Type.Optional(Type.String({ description: 'Demo key, valid on this machine only.' })),
  apiKeyHeader: Type.Optional(Type.String()),
  curl: Type.Array(Type.Object({ title: Type.String(), command: Type.String() })),
})
export type ServiceView = Static<typeof ServiceView>

export const HolderView = Type.Object({
  name: Type.String(),
  cpf: Type.String(),
  pin: Type.String(),
  email: Type.String(),
  custody: Type.String(),
  pkcs12: Type.String({ description: 'Path relative to the project root.' }),
})
export type HolderView = Static<typeof HolderView>

/** Everything the home page shows; answered by `GET /api/suite` of the home service. */
export const SuiteView = Type.Object({
  version: Type.String(),
  startedAt: Type.String(),
  services: Type.Array(ServiceView),
  holders: Type.Array(HolderView),
  trustAnchors: Type.Optional(Type.String()),
})
export type SuiteView = Static<typeof SuiteView>
