import { type Static, Type } from 'typebox'

/** A text in both languages of the page. */
const Bilingual = Type.Object({ 'pt-BR': Type.String(), 'en-US': Type.String() })

const SignIn = Type.Object({
  url: Type.String({ description: 'The page to sign in at.' }),
  email: Type.Optional(Type.String({ description: 'Absent where a key alone opens the page.' })),
  password: Type.String(),
})

/** What the home page shows of one base URL, built or not. */
export const ServiceView = Type.Object({
  name: Type.String({ description: 'Name of the base URL, as used by --only.' }),
  title: Bilingual,
  summary: Type.Object(Bilingual.properties, { description: 'One sentence of what it does.' }),
  specification: Type.Object(Bilingual.properties, { description: 'Where its contract stands: document and part.' }),
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
  signIn: Type.Optional(
    Type.Object(SignIn.properties, { description: 'How a person gets in, where there are pages for people.' }),
  ),
  curl: Type.Array(Type.Object({ title: Bilingual, command: Type.String() })),
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
  walk: Type.Object({
    missing: Type.Array(Type.String(), { description: 'Names of base URLs the walk needs and that do not run.' }),
  }),
})
export type SuiteView = Static<typeof SuiteView>

const Letter = Type.Object({
  subject: Type.String(),
  to: Type.String(),
  receivedAt: Type.String(),
  url: Type.String({ description: 'The letter in the inbox of the demo, relative to the home page.' }),
})

const Findings = Type.Array(Type.Object({ label: Type.String(), lines: Type.Array(Type.String()) }))

const Verdict = Type.Object({
  indication: Type.Union([Type.Literal('valid'), Type.Literal('invalid'), Type.Literal('indeterminate')]),
  findings: Type.Object(
    { 'pt-BR': Findings, 'en-US': Findings },
    { description: 'What the signature engine found, in words.' },
  ),
})

/** A walk through a signature: from the document that was sent to the verdict on what came back. */
export const WalkView = Type.Object({
  id: Type.String({ description: 'Id of the document at the document platform, which keeps all there is to know.' }),
  documentName: Type.String(),
  sentAt: Type.String(),
  status: Type.Enum(['Pending', 'FlowConcluded', 'Concluded', 'Refused', 'Canceled', 'Expired'], {
    description: 'Of the document.',
  }),
  signer: HolderView,
  letter: Type.Optional(Letter),
  signUrl: Type.Optional(Type.String({ description: 'Where the signer reads and signs, while it is to be signed.' })),
  hasCloud: Type.Boolean({ description: 'Whether the signer can sign with the certificate in the cloud.' }),
  validateUrl: Type.String({ description: 'Where anybody verifies the document.' }),
  signedUrl: Type.Optional(Type.String({ description: 'The signed PDF, relative to the home page.' })),
  verdict: Type.Optional(Verdict),
})
export type WalkView = Static<typeof WalkView>
