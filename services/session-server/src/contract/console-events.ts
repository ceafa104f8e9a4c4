import { commonEventTypes, eventList } from '@chancela/admin-console/contract'

/** All event types of the console; operators on the machine itself appear as `operator`. */
export const eventTypes = [
  ...commonEventTypes,
  'CertificateImported',
  'CertificateReplaced',
  'CertificateRemoved',
  'CertificateVerdictChanged',
  'WorkstationCreated',
  'WorkstationChanged',
  'WorkstationRevoked',
  'EnrolmentCodeCreated',
  'ApprovalSigned',
  'ApprovalDeclined',
  'SessionEnded',
  'CpfLocked',
  'LockoutCleared',
] as const

export type EventType = (typeof eventTypes)[number]

export const listEvents = eventList(eventTypes)
