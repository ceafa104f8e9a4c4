// What registrars publish and ministries ask for: lists of annulled degrees, inspection files (credentials-platform facts
// 2.6, 2.7).
import Type from 'typebox'
import { always, body, Day, pageOf, paging, subscriptionHeader } from './common.ts'
import { eventModels } from './models.ts'
import { inspectionFileTypes } from './vocabulary.ts'

const ofInstitute = [...always, 'institute-not-found'] as const
const common = { tags: ['Auxiliary documents'], headers: subscriptionHeader } as const
const pages = Type.Object(paging)

const lists = '/api/institutes/{id}/cancellation-lists'
const listAbsent = [...ofInstitute, 'cancellation-list-not-found'] as const

export const createCancellationList = {
  ...common,
  method: 'POST',
  path: lists,
  operationId: 'createCancellationList',
  summary: 'Makes the next list of annulled degrees now; otherwise it is made when it is due.',
  answer: eventModels.CancellationList,
  status: 201,
  access: 'lists.manage',
  refusals: [...ofInstitute, 'invalid-data', 'already-exists'],
} as const

export const listCancellationLists = {
  ...common,
  method: 'GET',
  path: lists,
  operationId: 'listCancellationLists',
  summary: 'The lists of a registrar, the newest first.',
  query: pages,
  answer: pageOf(eventModels.CancellationList),
  access: 'lists.read',
  refusals: ofInstitute,
} as const

export const readCancellationList = {
  ...common,
  method: 'GET',
  path: `${lists}/{listId}`,
  operationId: 'readCancellationList',
  summary: 'A list.',
  answer: eventModels.CancellationList,
  access: 'lists.read',
  refusals: listAbsent,
} as const

export const readCancellationListFile = {
  ...common,
  method: 'GET',
  path: `${lists}/{listId}/file`,
  operationId: 'readCancellationListFile',
  summary: 'The XML of a signed list, byte by byte.',
  produces: 'application/xml',
  access: 'lists.read',
  refusals: [...listAbsent, 'file-not-found'],
} as const

const inspections = '/api/institutes/{id}/inspection-files'
const inspectionAbsent = [...ofInstitute, 'inspection-file-not-found'] as const

const Inspection = body(
  { type: Type.Enum([...inspectionFileTypes]), startDate: Day, endDate: Day },
  'NewInspectionFile',
)

export const createInspectionFile = {
  ...common,
  method: 'POST',
  path: inspections,
  operationId: 'createInspectionFile',
  summary: 'Has the file made that the ministry asked for: what was issued, or registered, in a period.',
  body: Inspection,
  answer: eventModels.InspectionFile,
  status: 201,
  access: 'lists.manage',
  refusals: [...ofInstitute, 'invalid-data'],
} as const

export const listInspectionFiles = {
  ...common,
  method: 'GET',
  path: inspections,
  operationId: 'listInspectionFiles',
  summary: 'The inspection files of an institution, the newest first.',
  query: pages,
  answer: pageOf(eventModels.InspectionFile),
  access: 'lists.read',
  refusals: ofInstitute,
} as const

export const readInspectionFile = {
  ...common,
  method: 'GET',
  path: `${inspections}/{fileId}`,
  operationId: 'readInspectionFile',
  summary: 'An inspection file, and why it could not be made.',
  answer: eventModels.InspectionFile,
  access: 'lists.read',
  refusals: inspectionAbsent,
} as const

export const readInspectionFileContent = {
  ...common,
  method: 'GET',
  path: `${inspections}/{fileId}/file`,
  operationId: 'readInspectionFileContent',
  summary: 'The XML of a signed inspection file, byte by byte.',
  produces: 'application/xml',
  access: 'lists.read',
  refusals: [...inspectionAbsent, 'file-not-found'],
} as const
