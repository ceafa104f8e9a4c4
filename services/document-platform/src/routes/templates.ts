import { serve } from '@chancela/service-kernel/http'
import * as generation from '../actions/generation/generation.ts'
import * as templates from '../actions/templates/templates.ts'
import type { Context } from '../context.ts'
import {
  cancelGeneration,
  createTemplate,
  deleteTemplate,
  generateDocuments,
  listTemplates,
  readGeneration,
  readTemplate,
} from '../contract/templates.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of templates, and of documents made of them in numbers. */
export function serveTemplates(app: PlatformApp, context: Context): void {
  serve(app, listTemplates, ({ caller, query }) => templates.listedTemplates(context, caller, query))
  serve(app, createTemplate, ({ caller, body, now }) => templates.keepTemplate(context, caller, body, now))
  serve(app, readTemplate, async ({ caller, params }) =>
    templates.templateView(await templates.requiredTemplate(context, caller, params.id)),
  )
  serve(app, deleteTemplate, ({ caller, params, now }) => templates.removeTemplate(context, caller, params.id, now))
  serve(app, generateDocuments, ({ caller, body, now }) => generation.beginGeneration(context, caller, body, now))
  serve(app, readGeneration, ({ caller, params }) => generation.readGeneration(context, caller, params.id))
  serve(app, cancelGeneration, ({ caller, params, now }) =>
    generation.cancelGeneration(context, caller, params.id, now),
  )
}
