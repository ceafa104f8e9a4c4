// Requests at a registrar, from their arrival to the signed degree (credentials-platform facts 2.3, 3).
import Type, { type Static } from 'typebox'
import {
  always,
  body,
  creationHeaders,
  Day,
  line,
  lines,
  pageOf,
  searching,
  subscriptionHeader,
  Text,
} from './common.ts'
import { eventModels } from './models.ts'
import { cancellationReasons, registrationStatuses } from './vocabulary.ts'

const common = { tags: ['Registrations'], headers: subscriptionHeader } as const
const model = eventModels.Registration

const notFound = [...always, 'registration-not-found'] as const
const moved = [...notFound, 'invalid-transition', 'changed-meanwhile'] as const

/** What a document from outside may be refused for. */
const intakeRefusals = ['document-refused', 'partnership-required', 'already-exists'] as const

export const createRegistration = {
  ...common,
  method: 'POST',
  path: '/api/registrations',
  operationId: 'createRegistration',
  summary: 'Takes a request in: the signed academic documentation of a partner, with a description.',
  description:
    'A form: `instituteId`, the registrar; `file`, the XML; `description`. The layout, every signature, the CNPJ of the certificates and the partnership are checked first.',
  headers: creationHeaders,
  streamed: true,
  consumes: ['multipart/form-data'],
  body: Type.Object({
    instituteId: Text,
    file: Type.String({ format: 'binary' }),
    description: Type.Optional(lines(2000)),
  }),
  answer: model,
  status: 201,
  access: 'registrations.handle',
  refusals: [
    ...always,
    'institute-not-found',
    'invalid-data',
    'request-too-large',
    'idempotency-key-reused',
    ...intakeRefusals,
  ],
} as const

export const listRegistrations = {
  ...common,
  method: 'GET',
  path: '/api/registrations',
  operationId: 'listRegistrations',
  summary: 'Requests, the newest first.',
  query: Type.Object({
    ...searching,
    status: Type.Optional(Type.Enum([...registrationStatuses])),
    instituteId: Type.Optional(Text),
    from: Type.Optional(Day),
    to: Type.Optional(Day),
  }),
  answer: pageOf(model),
  access: 'registrations.read',
  refusals: always,
} as const

export const readRegistration = {
  ...common,
  method: 'GET',
  path: '/api/registrations/{id}',
  operationId: 'readRegistration',
  summary: 'A request.',
  answer: model,
  access: 'registrations.read',
  refusals: notFound,
} as const

const registrationFiles = ['academic-documentation', 'public-xml'] as const

export const readRegistrationFile = {
  ...common,
  method: 'GET',
  path: '/api/registrations/{id}/files/{name}',
  operationId: 'readRegistrationFile',
  summary: 'A file of a request, byte by byte.',
  params: Type.Object({ id: Text, name: Type.Enum([...registrationFiles]) }),
  produces: 'application/xml',
  access: 'registrations.read',
  refusals: [...notFound, 'file-not-found'],
} as const

const step = (name: string, operationId: string, summary: string) =>
  ({
    ...common,
    method: 'POST',
    path: `/api/registrations/{id}/${name}`,
    operationId,
    summary,
    answer: model,
    access: 'registrations.handle',
  }) as const

export const acceptRegistration = {
  ...step('acceptance', 'acceptRegistration', 'Takes a request up for review.'),
  path: '/api/registrations/{id}/acceptance',
  refusals: moved,
} as const

export const approveRegistration = {
  ...step('approval', 'approveRegistration', 'Says that the documents of a request are right.'),
  path: '/api/registrations/{id}/approval',
  refusals: [...moved, 'second-person-required'],
} as const

export const rejectRegistration = {
  ...step('rejection', 'rejectRegistration', 'Sends a request back, for good; the issuer may make another.'),
  path: '/api/registrations/{id}/rejection',
  body: body({ reason: lines(2000) }, 'RegistrationRejection'),
  refusals: moved,
} as const

const Cpf = Type.String({ pattern: '^[0-9]{11}$' })

/** The line of the book; the layout says which of its fields belong together. */
const BookEntry = body(
  {
    livroRegistro: Type.Optional(line(255)),
    numeroRegistro: Type.Optional(line(255)),
    numeroFolhaDoDiploma: Type.Optional(line(255)),
    numeroSequenciaDoDiploma: Type.Optional(line(255)),
    processoDoDiploma: Type.Optional(line(255)),
    dataColacaoGrau: Day,
    dataExpedicaoDiploma: Day,
    dataRegistroDiploma: Day,
    responsavelRegistro: body({ nome: line(255), cpf: Cpf, idOuNumeroMatricula: Type.Optional(line(255)) }),
  },
  'BookEntry',
)

const RegistrationEntry = body(
  {
    livroRegistro: BookEntry,
    informacoesAdicionais: Type.Optional(lines(10_000)),
    assinantes: Type.Optional(
      Type.Array(body({ cpf: Cpf, cargo: Type.Optional(line(255)), outroCargo: Type.Optional(line(255)) }), {
        minItems: 1,
        maxItems: 50,
      }),
    ),
    flowId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Who signs the degree.' })),
  },
  'RegistrationEntry',
)

export type RegistrationEntry = Static<typeof RegistrationEntry>

export const register = {
  ...step('registration', 'registerDegree', 'Writes the book: makes the degree with its code, and has it signed.'),
  path: '/api/registrations/{id}/registration',
  body: RegistrationEntry,
  refusals: [...moved, 'invalid-data', 'already-exists', 'flow-not-found'],
} as const

export const cancelRegistration = {
  ...step('cancellation', 'cancelRegistration', 'Cancels a request, or annuls the degree that came of it.'),
  path: '/api/registrations/{id}/cancellation',
  description:
    'What was signed is annulled, by an Administrador and for one of the six reasons; where two people are asked for, the first call proposes it (202) and the same of another person does it.',
  body: body(
    { reason: lines(2000), cancellationReason: Type.Optional(Type.Enum([...cancellationReasons])) },
    'RegistrationCancellation',
  ),
  otherAnswers: { 202: model },
  refusals: [...moved, 'invalid-data', 'second-person-required'],
} as const

const rulesPath = '/api/institutes/{id}/registry-settings'

const RegistrySettings = body(
  {
    requireTwoPeople: Type.Boolean({
      description:
        'Whoever took a request in does not approve it, and nobody annuls or restores a degree alone. Default true.',
    }),
    annulledListDays: Type.Integer({
      minimum: 4,
      maximum: 365,
      description: 'Days from a list of annulled degrees to the latest day of the next. Default 30.',
    }),
  },
  'RegistrySettings',
)

export type RegistrySettings = Static<typeof RegistrySettings>

export const readRegistrySettings = {
  ...common,
  method: 'GET',
  path: rulesPath,
  operationId: 'readRegistrySettings',
  summary: "The rules of an institution's registry.",
  answer: RegistrySettings,
  access: 'institutes.read',
  refusals: [...always, 'institute-not-found'],
} as const

export const putRegistrySettings = {
  ...common,
  method: 'PUT',
  path: rulesPath,
  operationId: 'putRegistrySettings',
  summary: 'Changes them.',
  body: RegistrySettings,
  answer: RegistrySettings,
  access: 'institutes.manage',
  refusals: [...always, 'institute-not-found'],
} as const

export const sendEmission = {
  tags: ['Emissions'],
  headers: subscriptionHeader,
  method: 'POST',
  path: '/api/emissions/{id}/send',
  operationId: 'sendEmission',
  summary: 'Sends the signed academic documentation to a partner; after a rejection it may be sent again.',
  body: body(
    { registrarInstituteId: Type.String({ minLength: 1, maxLength: 64 }), description: Type.Optional(lines(2000)) },
    'EmissionSending',
  ),
  answer: eventModels.EmissionRegistration,
  access: 'documents.issue',
  refusals: [
    ...always,
    'emission-not-found',
    'institute-not-found',
    'file-not-found',
    'invalid-transition',
    'changed-meanwhile',
    ...intakeRefusals,
  ],
} as const

export const uploadRegisteredXml = {
  tags: ['Emissions'],
  headers: subscriptionHeader,
  method: 'POST',
  path: '/api/emissions/{id}/registered-xml',
  operationId: 'uploadRegisteredXml',
  summary: 'Takes the signed degree that the registrar made elsewhere, after every check.',
  description: 'The XML as the body. Its degree data must be those that were sent, byte by byte.',
  streamed: true,
  consumes: ['application/xml', 'text/xml'],
  body: Type.String(),
  answer: eventModels.EmissionRegistration,
  access: 'documents.issue',
  refusals: [
    ...always,
    'emission-not-found',
    'invalid-transition',
    'changed-meanwhile',
    'request-too-large',
    'document-refused',
    'partnership-required',
    'already-exists',
  ],
} as const
