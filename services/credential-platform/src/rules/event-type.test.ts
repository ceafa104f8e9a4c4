import { expect, test } from 'vitest'
import { eventTypes } from '../contract/event-types.ts'
import * as vocabulary from '../contract/vocabulary.ts'
import { eventTypeOf } from './event-type.ts'

/** Every item that decides a type differently. */
const told = () => [
  ...vocabulary.degreeStates.flatMap((status) =>
    [false, true].map((wasRestored) => eventTypeOf('Degree', { status, wasRestored })),
  ),
  ...vocabulary.emissionStatuses.map((status) => eventTypeOf('Emission', { status })),
  ...vocabulary.registrationStatuses.flatMap((status) => [
    eventTypeOf('Registration', { status }),
    eventTypeOf('EmissionRegistration', { registrationStatus: status }),
  ]),
  ...vocabulary.transcriptStatuses.map((status) => eventTypeOf('AcademicTranscript', { status })),
  ...vocabulary.curriculumStatuses.map((status) => eventTypeOf('Curriculum', { status })),
  ...vocabulary.cancellationListStatuses.map((status) => eventTypeOf('CancellationList', { status })),
  ...vocabulary.inspectionFileStatuses.map((status) => eventTypeOf('InspectionFile', { status })),
  ...vocabulary.restampStatuses.flatMap((status) =>
    [false, true].map((wasUpdated) => eventTypeOf('Restamp', { status, wasUpdated })),
  ),
]

test('the types of all states together are the 38 of the specification', () => {
  const names = Object.values(eventTypes).flat()
  expect(names).toHaveLength(38)
  expect([...new Set(told().filter((type) => type !== undefined))].toSorted()).toEqual(names.toSorted())
})

test('no obsolete name is a type', () => {
  const obsolete = [
    'CancellationListGenerated',
    'InspectionFileStarted',
    'InspectionFileGenerated',
    'RegistrationSentToIssuer',
    'EmissionAcceptedByRegistry',
    'RestampCreationError',
  ]
  expect(
    Object.values(eventTypes)
      .flat()
      .filter((type) => (obsolete as string[]).includes(type)),
  ).toEqual([])
})

test('a degree that waits for its second XML is told as created, and one that is valid again as restored', () => {
  expect(eventTypeOf('Degree', { status: 'PendingPublicXml', wasRestored: false })).toBe('DegreeCreated')
  expect(eventTypeOf('Degree', { status: 'Concluded', wasRestored: false })).toBe('DegreeConcluded')
  expect(eventTypeOf('Degree', { status: 'Concluded', wasRestored: true })).toBe('DegreeRestored')
  expect(eventTypeOf('Degree', { status: 'Canceled', wasRestored: true })).toBe('DegreeCanceled')
})

test('a restored transcript is told as concluded: there is no other type', () => {
  expect(eventTypeOf('AcademicTranscript', { status: 'Concluded' })).toBe('AcademicTranscriptConcluded')
})

test('the issuer is told nothing of a request that waits, and nothing newer than its registration of a signed one', () => {
  expect(eventTypeOf('EmissionRegistration', { registrationStatus: null })).toBeUndefined()
  expect(eventTypeOf('EmissionRegistration', { registrationStatus: 'AwaitingAcceptance' })).toBeUndefined()
  expect(eventTypeOf('EmissionRegistration', { registrationStatus: 'Signed' })).toBe('EmissionRegistrationRegistered')
  expect(eventTypeOf('InspectionFile', { status: 'Generating' })).toBeUndefined()
})

test('a restamp is created until it is planned anew', () => {
  expect(eventTypeOf('Restamp', { status: 'Scheduled', wasUpdated: false })).toBe('RestampCreated')
  expect(eventTypeOf('Restamp', { status: 'Scheduled', wasUpdated: true })).toBe('RestampUpdated')
  expect(eventTypeOf('Restamp', { status: 'Applied', wasUpdated: true })).toBe('RestampApplied')
})
