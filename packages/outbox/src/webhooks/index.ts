// Outbound webhooks: an outbox written with the change it tells of, and a sender that empties it.
//
//   await store.transaction(async (tx) => { …change…; await emitEvents(store, tx, [{ ownerId, type, subject, body }], now) })
//   const sender = createWebhookSender({ store, clock, secrets, policy, schedule: growingIntervals(10) })
//   sender.start()
export { sendTestEvent, type WebhookCatalogue } from './catalogue.ts'
export { type Delivery, type DeliveryDetail, type DeliveryFilter, findDelivery, listDeliveries } from './deliveries.ts'
export { deliveriesPurge } from './deliveries-purge.ts'
export { type DeliverySchedule, growingIntervals } from './delivery-schedule.ts'
export { emitEvents, type NewWebhookEvent } from './emit-events.ts'
export {
  type ClientCredentials,
  type ConfiguredEndpoint,
  configureEndpoints,
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  type EndpointAccess,
  type EndpointChange,
  type EndpointName,
  type EndpointSettings,
  endpointsOf,
  rotateSecret,
  sealedEndpoints,
  setEndpointState,
  updateEndpoint,
} from './endpoints.ts'
export { webhookMigrations } from './migrations.ts'
export { purgeDeliveries, type Retention } from './purge.ts'
export { reason as webhookReason, reasonInBoth } from './reason-texts.ts'
export { cancelDeliveries, type Replay, replayDeliveries, replayMissing } from './replay.ts'
export type { FailurePolicy, SenderOptions, WebhookSender } from './sender-options.ts'
export { type AuthType, authTypes, type DeliveryState, type EndpointState, type WebhookTables } from './tables.ts'
export { type WebhookMetrics, webhookMetricTable } from './webhook-metrics.ts'
export { createWebhookSender } from './webhook-sender.ts'
