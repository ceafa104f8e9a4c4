// Saved flows, reminders and marks sessions (document-platform facts 1.3).
import Type from 'typebox'
import { cleanedLines, Flag, Id, IdAndName, line, maybe, orNull, pageOf, paging, Text, Time } from './common.ts'
import { CreateDocuments } from './documents.ts'
import { FileReference, FlowActionCreate, Mark, ObserverCreate, signatureTypes } from './models.ts'

const flowFields = {
  name: line(200, 1),
  description: maybe(cleanedLines(4000)),
  areActionsOrdered: maybe(Type.Boolean({ description: 'Default: whether there is more than one step.' })),
  flowActions: Type.Array(FlowActionCreate, { minItems: 1 }),
  observers: maybe(Type.Array(ObserverCreate)),
}

const FlowBody = Type.Object(flowFields, { $id: 'DocumentFlowData' })

const FlowInfo = {
  id: Id,
  name: Text,
  description: orNull(Text),
  creationDate: Time,
  updateDate: Time,
  createdBy: IdAndName,
}

const FlowDetail = Type.Object(
  {
    ...FlowInfo,
    areActionsOrdered: Flag,
    flowActions: Type.Array(FlowActionCreate),
    observers: Type.Array(ObserverCreate),
  },
  { $id: 'DocumentFlowDetails' },
)

const tags = ['Document flows']

export const listFlows = {
  method: 'GET',
  path: '/api/document-flows',
  summary: 'Lists saved flows.',
  tags,
  query: Type.Object(paging),
  answer: pageOf(Type.Object(FlowInfo)),
  access: 'flows.read',
} as const

export const createFlow = {
  method: 'POST',
  path: '/api/document-flows',
  summary: 'Saves a flow for later documents.',
  tags,
  body: FlowBody,
  answer: FlowDetail,
  access: 'flows.create',
  refusals: ['InvalidFlowAction', 'AuthenticationNotAvailable', 'MaxSignersLimitReached'],
} as const

export const readFlow = {
  method: 'GET',
  path: '/api/document-flows/{id}',
  summary: 'A saved flow.',
  tags,
  answer: FlowDetail,
  access: 'flows.read',
  refusals: ['DocumentFlowNotFound'],
} as const

export const updateFlow = {
  method: 'PUT',
  path: '/api/document-flows/{id}',
  summary: 'Changes a saved flow; documents that began with it stay as they are.',
  tags,
  body: FlowBody,
  answer: FlowDetail,
  access: 'flows.change',
  refusals: ['DocumentFlowNotFound', 'InvalidFlowAction', 'AuthenticationNotAvailable', 'MaxSignersLimitReached'],
} as const

export const deleteFlow = {
  method: 'DELETE',
  path: '/api/document-flows/{id}',
  summary: 'Deletes a saved flow.',
  tags,
  status: 200,
  access: 'flows.change',
  refusals: ['DocumentFlowNotFound'],
} as const

export const remindAction = {
  method: 'POST',
  path: '/api/notifications/flow-action-reminder',
  summary: 'Reminds the participants of a pending action by e-mail.',
  tags: ['Notifications'],
  body: Type.Object({ documentId: Id, flowActionId: Id }),
  status: 200,
  access: 'documents.change',
  refusals: ['DocumentNotFound', 'FlowActionNotFound', 'InvalidFlowAction', 'EmailNotAvailable'],
} as const

export const notifyPending = {
  method: 'POST',
  path: '/api/users/notify-pending',
  summary: 'Tells people by e-mail of everything that waits for them.',
  tags: ['Notifications'],
  body: Type.Object({ emails: Type.Array(Type.String({ maxLength: 254 }), { minItems: 1, maxItems: 1000 }) }),
  status: 200,
  access: 'documents.notify',
  refusals: ['EmailNotAvailable'],
} as const

/** An action marks are placed for. */
export const SessionAction = Type.Object({ id: maybe(Id), ...FlowActionCreate.properties })

const SessionMark = Type.Object({ flowActionId: maybe(Id), participant: maybe(Text), ...Mark.properties })

const MarksSession = Type.Object(
  {
    id: Id,
    files: Type.Array(Type.Object({ ...FileReference.properties, location: Text })),
    isEnvelope: Flag,
    signatureType: orNull(Type.Enum([...signatureTypes])),
    data: orNull(Type.Array(SessionMark)),
    flowActions: orNull(
      Type.Array(SessionAction, {
        description: 'The actions the session began with, with the marks that were placed.',
      }),
    ),
    request: Type.Unknown({
      description:
        'The creation request the session began with, or null: with the marks in its actions, ready to be sent.',
    }),
  },
  { $id: 'MarksSession' },
)

export const createMarksSession = {
  method: 'POST',
  path: '/api/marks-sessions',
  summary: 'Begins a session in which somebody places marks on uploaded files.',
  tags: ['Marks'],
  body: Type.Object({
    files: Type.Array(FileReference, { minItems: 1, maxItems: 20 }),
    isEnvelope: maybe(Flag),
    signatureType: maybe(Type.Enum([...signatureTypes])),
    flowActions: maybe(Type.Array(SessionAction)),
    enableInsecureRequests: maybe(Flag),
  }),
  answer: Type.Object({ id: Id, embedUrl: Text }),
  access: 'documents.create',
  refusals: ['UploadNotFound'],
} as const

export const createDocumentMarksSession = {
  method: 'POST',
  path: '/api/marks-sessions/documents',
  summary: 'The same for a creation request, or for documents that exist.',
  tags: ['Marks'],
  body: Type.Object({
    ...Type.Partial(CreateDocuments).properties,
    documents: maybe(Type.Array(Id, { minItems: 1, maxItems: 20, description: 'Instead of a creation request.' })),
  }),
  answer: Type.Object({ id: Id, embedUrl: Text }),
  access: 'documents.create',
  refusals: [
    'DocumentNotFound',
    'UploadNotFound',
    'InvalidFlowAction',
    'AuthenticationNotAvailable',
    'MaxFilesLimitReached',
  ],
} as const

export const readMarksSession = {
  method: 'GET',
  path: '/api/marks-sessions/{id}',
  summary: 'What was placed; for 60 minutes.',
  tags: ['Marks'],
  answer: MarksSession,
  access: 'documents.create',
  refusals: ['MarksSessionNotFound'],
} as const

/** One client uses the path in the singular. */
export const readMarksSessionAlias = { ...readMarksSession, path: '/api/marks-session/{id}', hidden: true } as const

export const saveMarks = {
  method: 'PUT',
  path: '/api/marks-sessions/{id}/data',
  summary: 'Keeps what was placed; for the page of the session.',
  tags: ['Marks'],
  body: Type.Object({ data: Type.Array(SessionMark, { maxItems: 1000 }) }),
  status: 200,
  access: 'anonymous',
  refusals: ['MarksSessionNotFound'],
} as const

export const readMarksSessionPage = {
  method: 'GET',
  path: '/api/marks-sessions/{id}/page',
  summary: 'What the page of the session shows.',
  tags: ['Marks'],
  answer: Type.Object({
    id: Id,
    files: Type.Array(Type.Object({ id: Id, name: Text, contentType: Text, location: Text })),
    isEnvelope: Flag,
    signatureType: orNull(Type.Enum([...signatureTypes])),
    participants: Type.Array(Type.Object({ flowActionId: orNull(Id), name: Text, type: Text })),
    data: orNull(Type.Array(SessionMark)),
  }),
  access: 'anonymous',
  refusals: ['MarksSessionNotFound'],
} as const
