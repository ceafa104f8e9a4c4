// What everybody may know who has the code of a document, and what the platform says to a document from anybody
// (credentials-platform facts 1.7, 3).
import Type, { type Static } from 'typebox'
import { Count, Day, Flag, orNull, Text, Time } from './common.ts'

const tags = ['Public']
const open = { tags, access: 'anonymous' } as const

/** Valid, not valid for the time being, and never again. */
const publicStatuses = ['Valid', 'Suspended', 'Annulled'] as const
export type PublicStatus = (typeof publicStatuses)[number]

const publicKinds = ['Degree', 'AcademicTranscript', 'Curriculum'] as const
export type PublicKind = (typeof publicKinds)[number]

const Institution = Type.Object({ name: Text, code: Text })

const Status = Type.Object({
  status: Type.Enum([...publicStatuses]),
  statusDate: orNull(Time),
  statusReason: orNull(Text),
  statusUntil: orNull(Time),
})

const PublicRecord = Type.Object(
  {
    code: Text,
    kind: Type.Enum([...publicKinds]),
    ...Status.properties,
    version: Text,
    studentName: orNull(Text),
    studentCpf: orNull(Type.String({ description: 'Its six central digits alone.' })),
    course: Text,
    courseCode: orNull(Text),
    issuingIes: Institution,
    registeringIes: orNull(Institution),
    admissionDate: orNull(Day),
    conclusionDate: orNull(Day),
    expeditionDate: orNull(Day),
    registrationDate: orNull(Day),
    expeditionNumber: orNull(Text),
    registrationNumber: orNull(Text),
    sha256: Type.String({ description: 'Of the XML, hexadecimal.' }),
    hasRepresentation: Type.Boolean({ description: 'Whether there is a visual representation to download.' }),
  },
  { $id: 'PublicRecord' },
)

export type PublicRecord = Static<typeof PublicRecord>

const Code = Type.Object({ code: Type.String({ maxLength: 200 }) })
const lookedUp = { ...open, policy: 'Public', params: Code, refusals: ['code-not-found', 'too-many-requests'] } as const

export const readPublicRecord = {
  ...lookedUp,
  method: 'GET',
  path: '/{code}',
  operationId: 'readPublicRecord',
  summary: 'What is public of a document, by its verification code; browsers get a page.',
  answer: PublicRecord,
} as const

export const readPublicXml = {
  ...lookedUp,
  method: 'GET',
  path: '/{code}.xml',
  operationId: 'readPublicXml',
  summary: 'The signed XML of a document, byte by byte.',
  produces: 'application/xml',
  refusals: [...lookedUp.refusals, 'file-not-found'],
} as const

export const readPublicVersion = {
  ...lookedUp,
  method: 'GET',
  path: '/{code}/xml/{sha256}',
  operationId: 'readPublicVersion',
  summary: 'One version of the signed XML, by its SHA-256; credentials lead to it, whatever version is the newest.',
  params: Type.Object({ ...Code.properties, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  produces: 'application/xml',
  refusals: ['invalid-request', ...lookedUp.refusals, 'file-not-found'],
} as const

export const readPublicRepresentation = {
  ...lookedUp,
  method: 'GET',
  path: '/{code}/rvdd',
  operationId: 'readPublicRepresentation',
  summary: 'The visual representation of a degree that is valid.',
  produces: 'application/pdf',
  refusals: [...lookedUp.refusals, 'file-not-found'],
} as const

export const readAnnulledDegrees = {
  ...open,
  method: 'GET',
  path: '/public/{iesCode}/annulled-degrees.xml',
  operationId: 'readAnnulledDegrees',
  summary: 'The newest signed list of annulled degrees of a registrar, by its e-MEC code; the address never changes.',
  params: Type.Object({ iesCode: Type.String({ pattern: '^[0-9]{1,20}$' }) }),
  produces: 'application/xml',
  policy: 'Public',
  refusals: ['invalid-request', 'cancellation-list-not-found', 'too-many-requests'],
} as const

const Sentence = Type.Object({ pt: Text, en: Text })

const Problem = Type.Object({
  code: Text,
  severity: Type.Enum(['error', 'undetermined', 'notice']),
  path: orNull(Type.String({ description: 'Where in the XML.' })),
  line: orNull(Count),
  text: Sentence,
})

const CheckedSignature = Type.Object({
  step: orNull(Type.String({ description: 'What it is in the plan of the document; null where it belongs to none.' })),
  name: orNull(Text),
  level: Text,
  time: orNull(Time),
  valid: Flag,
})

const CheckReport = Type.Object(
  {
    verdict: Type.Enum(['accepted', 'refused', 'undetermined']),
    judgedAt: Time,
    sha256: Text,
    kind: orNull(Text),
    version: orNull(Text),
    date: orNull(Day),
    signatures: Type.Array(CheckedSignature),
    problems: Type.Array(Problem),
    code: orNull(Type.String({ description: 'The verification code that the document names.' })),
    known: Type.Boolean({ description: 'Whether a document of this platform has this code.' }),
    sameAsIssued: orNull(
      Type.Boolean({ description: 'Whether its bytes are those that were issued or renewed here.' }),
    ),
    standing: orNull(Status),
    annulledList: orNull(
      Type.Object({
        sequenceNumber: Count,
        maximumNextUpdateDate: Day,
        current: Type.Boolean({ description: 'False where a newer list is overdue: then absence proves nothing.' }),
        listed: Flag,
      }),
    ),
  },
  { $id: 'CheckReport' },
)

export type CheckReport = Static<typeof CheckReport>

const XML_TYPES = ['application/xml', 'text/xml', 'application/octet-stream'] as const

export const checkDocument = {
  ...open,
  method: 'POST',
  path: '/public/verify',
  operationId: 'checkDocument',
  summary: 'A full report on an academic XML: layout, signatures, and whether it was suspended or annulled.',
  description: 'Takes the XML as the body, or as `file` of a form. Nothing of it is kept.',
  streamed: true,
  consumes: [...XML_TYPES, 'multipart/form-data'],
  bodies: {
    'application/xml': Type.String(),
    'multipart/form-data': Type.Object({ file: Type.String({ format: 'binary' }) }),
  },
  answer: CheckReport,
  policy: 'Checks',
  refusals: ['invalid-request', 'request-too-large', 'unsupported-media-type', 'too-many-requests', 'service-busy'],
} as const
