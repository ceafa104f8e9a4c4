// The wire of the service, as data: models, events and the error codes. Routes are beside them, one file per resource.
export { type ErrorCode, errors } from './errors.ts'
export { type EventType, eventTypes } from './event-types.ts'
export { type EventModels, eventModels } from './models.ts'
export { type EventKind, eventKinds } from './vocabulary.ts'
