import { type CommonEventType, commonEventTypes, eventList } from '@chancela/admin-console/contract'

/** All event types of the console; operators on the machine itself appear as `operator`. */
export const eventTypes = [
  ...commonEventTypes,
  'CertificateImported',
  'CertificateReplaced',
  'CertificateRemoved',
  'CertificatePinSet',
  'CertificateVerdictChanged',
  'WorkstationCreated',
  'WorkstationChanged',
  'WorkstationEnrolled',
  'WorkstationRevoked',
  'WorkstationOutdated',
  'EnrolmentCodeCreated',
  'ApprovalSigned',
  'ApprovalDeclined',
  'SessionEnded',
  'CpfLocked',
  'LockoutCleared',
] as const

type EventType = (typeof eventTypes)[number]

/** Those that other consoles do not have. */
export type OwnEventType = Exclude<EventType, CommonEventType>

export const listEvents = eventList(eventTypes)
