import { serve } from '@chancela/service-kernel/http'
import {
  deleteFileValidation,
  putFileValidation,
  readFileValidation,
} from '../actions/file-validation/manage-file-validation.ts'
import { deleteWebhook, putWebhook, readWebhook } from '../actions/webhooks/subscription-webhook.ts'
import * as log from '../actions/webhooks/webhook-log.ts'
import type { Parts } from '../compose.ts'
import * as validation from '../contract/file-validation.ts'
import * as contract from '../contract/webhooks.ts'
import type { CoreApp } from './core-app.ts'

/** Whom a subscription tells of documents, and whom it asks about files. */
export function serveWebhooks(app: CoreApp, parts: Parts): void {
  serve(app, contract.readWebhook, ({ caller, params }) => readWebhook(parts, caller, params.id))
  serve(app, contract.putWebhook, ({ caller, params, body, now }) => putWebhook(parts, caller, params.id, body, now))
  serve(app, contract.deleteWebhook, ({ caller, params, now }) => deleteWebhook(parts, caller, params.id, now))
  serve(app, validation.readFileValidation, ({ caller, params }) => readFileValidation(parts, caller, params.id))
  serve(app, validation.putFileValidation, ({ caller, params, body, now }) =>
    putFileValidation(parts, caller, params.id, body, now),
  )
  serve(app, validation.deleteFileValidation, ({ caller, params }) => deleteFileValidation(parts, caller, params.id))
  serve(app, contract.setWebhookState, ({ caller, params, body, now }) =>
    log.setState(parts, caller, params.id, body.state, now),
  )
  serve(app, contract.rotateWebhookSecret, ({ caller, params, now }) => log.rotate(parts, caller, params.id, now))
  serve(app, contract.testWebhook, ({ caller, params, now }) => log.sendSample(parts, caller, params.id, now))
  serve(app, contract.listWebhookDeliveries, ({ caller, params, query }) => log.list(parts, caller, params.id, query))
  serve(app, contract.readWebhookDelivery, ({ caller, params }) =>
    log.readOne(parts, caller, params.id, params.deliveryId),
  )
  serve(app, contract.replayWebhookDeliveries, ({ caller, params, body, now }) =>
    log.replay(parts, caller, params.id, body, now),
  )
  serve(app, contract.cancelWebhookDeliveries, ({ caller, params, body, now }) =>
    log.cancel(parts, caller, params.id, body.deliveryIds, now),
  )
}
