import { type CommonEventType, commonEventTypes, eventList } from '@chancela/admin-console/contract'

/** All event types of the service; applications that manage appear as `application:` and their name. */
export const eventTypes = [
  ...commonEventTypes,
  'ApplicationDeleted',
  'ApplicationRolesChanged',
  'DefaultMetadataChanged',
  'SubscriptionCreated',
  'SubscriptionRenamed',
  'SubscriptionDisabled',
  'SubscriptionEnabled',
  'SecurityContextCreated',
  'SecurityContextChanged',
  'SecurityContextDeleted',
  'DefaultSecurityContextChanged',
  'SignatureSessionCancelled',
  'BioSubjectDeleted',
] as const

type EventType = (typeof eventTypes)[number]

/** Those that other consoles do not have. */
export type OwnEventType = Exclude<EventType, CommonEventType>

export const listEvents = eventList(eventTypes)
