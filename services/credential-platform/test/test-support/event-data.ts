// What the data of each event are, field by field, written down from the specification and apart from the service.
import { expect } from 'vitest'
import { fields, kindOf } from './event-samples.ts'

type Look = (value: unknown) => boolean

const text: Look = (value) => typeof value === 'string' && value !== ''
const orNull =
  (look: Look): Look =>
  (value) =>
    value === null || look(value)
const time: Look = (value) => text(value) && new Date(value as string).toISOString() === value
const day: Look = (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))
const count: Look = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const cpf: Look = (value) => /^\d{11}$/.test(String(value))

/** What is no plain text: the other fields always have one. */
const looks: Readonly<Record<string, Look>> = {
  creationDate: time,
  updateDate: time,
  date: time,
  archivingExpiringDate: time,
  maximumNextUpdateDate: day,
  startDate: day,
  endDate: day,
  sequenceNumber: count,
  inspectedDegreesNumber: count,
  studentCpf: cpf,
  ...Object.fromEntries(
    [
      'studentSocialName',
      'reason',
      'cancellationReason',
      'academicTranscriptCreationError',
      'degreeId',
      'description',
      'registrationCancellationReason',
      'signerDocumentId',
      'signerDocumentUrl',
      'details',
      'errorReason',
    ].map((name) => [name, orNull(text)]),
  ),
}

/** A degree has its code from its conclusion; the other documents are made with theirs. */
const lookOf = (type: string, name: string): Look =>
  name === 'verificationCode' && kindOf(type) === 'Degree' ? orNull(text) : (looks[name] ?? text)

/** Every field of the model and no other, each of its kind, named in camelCase. */
export function expectWholeData(event: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }) {
  expect(Object.keys(event)).toEqual(['type', 'data'])
  const { type, data } = event
  expect([type, Object.keys(data)]).toEqual([type, fields[kindOf(type)]])
  for (const [name, value] of Object.entries(data)) {
    expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
    expect([type, name, value, lookOf(type, name)(value)]).toEqual([type, name, value, true])
  }
}
