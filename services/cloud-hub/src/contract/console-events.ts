import { type CommonEventType, commonEventTypes, eventList } from '@chancela/admin-console/contract'

/** All event types of the hub; operators on the machine itself appear as `operator`. */
export const eventTypes = [
  ...commonEventTypes,
  'RedirectUriAdded',
  'RedirectUriRemoved',
  'ProviderCreated',
  'ProviderChanged',
  'ProviderEnabled',
  'ProviderDisabled',
  'ProvidersReordered',
  'ProviderRegistered',
  'ProviderRemoved',
  'SessionEnded',
] as const

type EventType = (typeof eventTypes)[number]

/** Those that other consoles do not have. */
export type OwnEventType = Exclude<EventType, CommonEventType>

export const listEvents = eventList(eventTypes)
