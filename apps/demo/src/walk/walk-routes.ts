import { type App, attachment, route, serve } from '@chancela/service-kernel/http'
import { INTERFACE_LANGUAGES } from '@chancela/service-kernel/i18n'
import { Type } from 'typebox'
import { WalkView } from '../home/contract.ts'
import type { demoErrors } from '../problems.ts'
import type { Walks } from './walks.ts'

const params = Type.Object({ id: Type.String({ format: 'uuid' }) })
const refusals = ['walk.not-ready', 'walk.not-found', 'walk.failed'] as const
const access = 'anonymous'

const beginWalk = route({
  method: 'POST',
  path: '/api/walks',
  summary: 'Sends a sample contract to a holder of the demo, with the key of the demo.',
  access,
  body: Type.Object({ language: Type.Enum([...INTERFACE_LANGUAGES]) }),
  status: 201,
  answer: WalkView,
  refusals,
})

const readWalk = route({
  method: 'GET',
  path: '/api/walks/{id}',
  summary: 'How far a walk has come; the verdict once the document is signed.',
  access,
  params,
  answer: WalkView,
  refusals,
})

const readSigned = route({
  method: 'GET',
  path: '/api/walks/{id}/signed.pdf',
  summary: 'The signed document.',
  access,
  params,
  produces: 'application/pdf',
  refusals,
})

/** Puts the walk through a signature on the home page's app. */
export function serveWalks(app: App<keyof typeof demoErrors>, walks: Walks): void {
  serve(app, beginWalk, ({ body, now }) => walks.begin(body.language, now))
  serve(app, readWalk, ({ params, now }) => walks.view(params.id, now))
  serve(app, readSigned, async ({ params, reply }) => {
    const signed = await walks.signed(params.id)
    reply.header('content-disposition', attachment('signed.pdf'))
    return signed
  })
}
